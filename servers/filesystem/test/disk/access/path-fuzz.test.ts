// A thousand generated paths, the same in every run.
import { test } from "vitest";
import { tryPaths } from "./path-fuzz.ts";

test.skipIf(process.platform === "win32")(
  "PATH-01 to PATH-35: none of a thousand generated paths leads out, and those that the system leads inside are served",
  () => tryPaths(1000, 1),
);
