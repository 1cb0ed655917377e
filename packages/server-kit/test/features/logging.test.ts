// Levels of severity.
import { expect, test } from "vitest";
import { levelOf, severity } from "../../src/features/logging.ts";
import { LOG_LEVELS } from "../../src/protocol/types.ts";

test("LOG-06 has eight levels, from debug to emergency", () => {
  expect(LOG_LEVELS).toEqual(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]);
  expect(LOG_LEVELS.map(severity)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(LOG_LEVELS.map(levelOf)).toEqual(LOG_LEVELS);
});

test("LOG-05 refuses any other level", () => {
  for (const level of ["", "Debug", "warn", "__proto__", "0", 0, -1, null, undefined, [], ["debug"], {}]) {
    expect.soft(severity(level)).toBe(-1);
    expect.soft(() => levelOf(level)).toThrow(expect.objectContaining({ code: -32602 }));
  }
});
