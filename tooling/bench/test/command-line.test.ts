/** The command lines that the bench starts. */
import { expect, test } from "vitest";
import { words } from "../src/command-line.ts";

test("splits a command line like a shell", () => {
  expect(words(`node  "a b"/c.js --x='1 2' d\\ e ""`)).toEqual(["node", "a b/c.js", "--x=1 2", "d e", ""]);
});
