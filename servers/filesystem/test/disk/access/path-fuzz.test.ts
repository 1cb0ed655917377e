// A thousand generated paths, the same in every run.
import { needs } from "@oarlock/testing";
import { test } from "vitest";
import { tryPaths } from "./path-fuzz.ts";

test("PATH-01 to PATH-35: lets none of a thousand generated paths lead out, and serves those that stay inside", needs("POSIX"), () =>
  tryPaths(1000, 1),
);
