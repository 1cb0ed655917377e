// Questions of a server on a terminal.
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { notesServer } from "../fixtures/notes.ts";
import { runAtTerminal } from "../support/played-terminal.ts";

let server: HttpServer;
beforeAll(async () => {
  server = await serveHttp(notesServer(), { port: 0 });
});
afterAll(() => server.stop());

const call = (tool: string, answers: readonly string[]): Promise<string> => runAtTerminal([server.url, "call", tool], answers);

test.each([
  ["y", "Deleted"],
  ["", "Kept"],
])("asks once for a form with one boolean, and reads the answer %j as %s", async (answer, result) => {
  expect(await call("ask", [answer])).toBe(`Delete all notes?\nYes, go on [y/N] ${answer}\n${result}\n`);
});

test("asks once for a form without a field", async () => {
  expect(await call("agree", ["y"])).toBe('Send it? [y/N] y\n{"action":"accept","content":{}}\n');
});

test("announces how many fields of a form follow, and describes them", async () => {
  expect(await call("order", ["y", "oar", "y"])).toBe(
    'What do you order?\nAnswer the server? 2 questions follow. [y/N] y\nitem (A name from the list): oar\ngift [y/n]: y\n{"action":"accept","content":{"item":"oar","gift":true}}\n',
  );
});

test("asks nothing else after a refused form", async () => {
  expect(await call("order", ["n"])).toMatch(/follow\. \[y\/N\] n\n\{"action":"decline"\}\n$/);
});
