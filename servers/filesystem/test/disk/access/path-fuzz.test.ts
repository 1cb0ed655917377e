// A thousand generated paths, the same in every run.
import { needs } from "@oarlock/testing";
import { test } from "vitest";
import { tryPaths } from "./path-fuzz.ts";

test(
  "PATH-01 to PATH-35: none of a thousand generated paths leads out, and those that the system leads inside are served",
  needs("POSIX"),
  () => tryPaths(1000, 1),
);
