// Questions of a server on a real terminal, asked by the command as a process.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BIN, running } from "../support/command-process.ts";
import { hasTerminal, runInTerminal } from "../support/terminal-process.ts";

const SERVER = fileURLToPath(new URL("../fixtures/notes-server.ts", import.meta.url));

const call = (tool: string, answers: readonly string[]): Promise<string> =>
  runInTerminal([...running(BIN), "call", tool, "--", ...running(SERVER)], answers);

test.runIf(hasTerminal).each([
  ["y", "Deleted"],
  ["", "Kept"],
])("asks once for a form with one boolean, and reads the answer %j as %s", async (answer, result) => {
  expect(await call("ask", [answer])).toBe(`Delete all notes?\nYes, go on [y/N] ${answer}\n${result}\n`);
});

test.runIf(hasTerminal)("asks once for a form without a field", async () => {
  expect(await call("agree", ["y"])).toBe('Send it? [y/N] y\n{"action":"accept","content":{}}\n');
});

test.runIf(hasTerminal)("announces how many fields of a form follow, and describes them", async () => {
  expect(await call("order", ["y", "oar", "y"])).toBe(
    'What do you order?\nAnswer the server? 2 questions follow. [y/N] y\nitem (A name from the list): oar\ngift [y/n]: y\n{"action":"accept","content":{"item":"oar","gift":true}}\n',
  );
});

test.runIf(hasTerminal)("asks nothing else after a refused form", async () => {
  expect(await call("order", ["n"])).toMatch(/follow\. \[y\/N\] n\n\{"action":"decline"\}\n$/);
});
