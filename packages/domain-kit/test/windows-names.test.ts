import { expect, test } from "vitest";
import { hasPlainWindowsNames } from "../src/index.ts";

test.each(["a.csv", String.raw`C:\data\..\a b.csv`, "./a/b", String.raw`\\?\C:\a`, "C:", "console.txt", "com10", ".hidden"])(
  "reads %s as a plain path",
  (path) => {
    expect(hasPlainWindowsNames(path)).toBe(true);
  },
);

test.each(["x.db-wal.", "x.db-wal ", "a.csv:s", "a::$DATA", "con.csv", "d/NUL", String.raw`aux\a`, "a. /b", "COM¹", "conin$", "C:/a:b"])(
  "reads %s as another spelling, a stream or a device",
  (path) => {
    expect(hasPlainWindowsNames(path)).toBe(false);
  },
);
