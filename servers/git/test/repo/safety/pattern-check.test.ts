// Patterns whose counts multiply beyond a limit.
import { expect, test } from "vitest";
import { checkPattern } from "../../../src/repo/safety/pattern-check.ts";

test.each([undefined, "", "a{3}", "(a{100}){100}", "a{10000}", "a{,5}", "a\\{9999\\}", "{}", "(a{0}){9999}", "a{2}{b}{5000}"])(
  "accepts the pattern %s",
  (pattern) => {
    expect(() => checkPattern(pattern)).not.toThrow();
  },
);

test.each(["a{10001}", "(a{101}){100}", "a{1,10001}", "a{10001,}", "a{,10001}", "\\(a\\{101\\}\\)\\{100\\}", "((a{30}){30}){30}"])(
  "refuses the pattern %s",
  (pattern) => {
    expect(() => checkPattern(pattern)).toThrow(
      expect.objectContaining({ code: "invalid", message: expect.stringContaining(`The pattern ${pattern} repeats too much`) as string }),
    );
  },
);
