// The command oarlock-client: what it prints, and its exit codes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineServer, resource } from "@oarlock/server-kit";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { notesServer } from "../fixtures/notes.ts";
import { sendJson, startHttp } from "../support/authorization-servers.ts";
import { runCommand, type Ended, type OnOutput } from "../support/run-command.ts";

let folder: string;
let server: HttpServer;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "oarlock-command-"));
  server = await serveHttp(notesServer(), { port: 0 });
  url = server.url;
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], onOutput?: OnOutput): Promise<Ended> => runCommand(join(folder, "credentials.json"), args, onOutput);

test("lists what the server offers, as text and as JSON", async () => {
  const { code, stdout } = await run([url, "list"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^notes 1\.2\.3, revision 2026-07-28\n/);
  expect(stdout).toContain("Tools (8):\n  write(text, token?)  Write the note.\n");
  expect(stdout).toContain("Resources (1):\n  note:///a (can be watched)\n");
  const json = await run([url, "list", "--json", "--revision", "2025-03-26"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    server: { name: "notes", version: "1.2.3" },
    revision: "2025-03-26",
    tools: [
      { name: "write" },
      { name: "fail" },
      { name: "ask" },
      { name: "agree" },
      { name: "order" },
      { name: "crash" },
      { name: "save" },
      { name: "wait" },
    ],
    resources: [{ uri: "note:///a" }],
    watchable: ["note:///a"],
    resourceTemplates: [],
    prompts: [{ name: "greet" }],
  });
});

test.each(["2025-11-25", "2026-07-28"])(
  "list marks resources that can be watched, and leaves no subscription behind, in %s",
  async (revision) => {
    const watched: string[] = [];
    const live = resource({
      uri: "note:///live",
      name: "live",
      read: () => "text",
      watch() {
        watched.push("begin");
        return () => watched.push("end");
      },
    });
    const other = resource({ uri: "note:///still", name: "still", read: () => "text" });
    const http = await serveHttp(defineServer({ name: "two", version: "1.0.0", resources: [live, other] }), { port: 0 });
    try {
      const { stdout, stderr } = await run([http.url, "list", "--revision", revision]);
      expect(stdout).toMatch(/^ {2}note:\/\/\/live \(can be watched\)$/m);
      expect(stdout).toMatch(/^ {2}note:\/\/\/still$/m);
      expect(stderr).toBe("");
      await expect.poll(() => watched).toEqual(["begin", "end"]);
    } finally {
      await http.stop();
    }
  },
);

test.each([[["call", "a\u001b[2J\u202e"]], [["read", "note:///\u009b\u061c"]], [["prompt", "\u2028"]], [["\u001b]0;x\u0007"]]])(
  "sends no control characters of %j to the terminal",
  async (args) => {
    const { code, stdout, stderr } = await run([url, ...args]);
    expect(code).not.toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).toMatch(/^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/);
    expect(stderr).toContain("\\u");
  },
);

test("prints the result of a call, and exits with 1 on a failed tool", async () => {
  expect(await run([url, "call", "write", '{"text":"hello"}'])).toMatchObject({ code: 0, stdout: "Wrote hello\n" });
  const { code, stdout } = await run([url, "call", "fail", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ isError: true, content: [{ type: "text", text: "Disk full" }] });
});

test.each([
  [
    ["call", "wrte"],
    "Unknown tool: wrte. Did you mean write? The server has write, fail, ask, agree, order, crash, save, wait. (code -32602)",
  ],
  [["call", "zzzz"], "Unknown tool: zzzz. The server has write, fail, ask, agree, order, crash, save, wait. (code -32602)"],
  [["prompt", "gret"], "Unknown prompt: gret. Did you mean greet? The server has greet. (code -32602)"],
  [["read", "note:///b"], 'Resource not found. "note:///b" is unknown. Did you mean note:///a? The server has note:///a. (code -32602)'],
  [["read", "a"], 'Resource not found. "a" is not a URI. The server has note:///a. (code -32602)'],
])("names for %j what the server has, and the nearest", async (words, message) => {
  expect(await run([url, ...words])).toMatchObject({ code: 1, stdout: "", stderr: `Error: ${message}\n` });
});

test("prints the arguments of a tool for a call that does not fit it, and only then", async () => {
  const takes = 'save takes {notes: [{text: string, kind?: "a" | "b"}], at?: integer}. A name with ? may be left out.\n';
  for (const args of ["{}", '{"notes":"x"}', '{"notes":[{}]}', '{"notes":[],"at":"1"}', '{"nots":[]}'])
    expect(await run([url, "call", "save", args])).toMatchObject({ code: 1, stderr: takes });
  expect(await run([url, "call", "save", '{"notes":[{"text":"x"}]}'])).toMatchObject({ code: 1, stdout: "Disk full\n", stderr: "" });
});

test("prints texts of read and prompt without control characters for the terminal", async () => {
  expect(await run([url, "read", "note:///a"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(first|hello)\n$/) });
  expect(await run([url, "prompt", "greet", '{"who":"Ada"}'])).toMatchObject({ code: 0, stdout: "user: Greet Ada\\u001b[2J\n" });
});

test("skips an elicitation without a terminal, and prints what to do", async () => {
  const { code, stdout, stderr } = await run([url, "call", "ask"]);
  expect([code, stdout]).toEqual([1, "Not deleted: this client does not support elicitation. Start the server with --yes.\n"]);
  expect(stderr).toMatch(
    / was asked: this client asks .* Run the same command in a terminal to answer, or use the switch or argument that the server names\.\n$/,
  );
  const withoutAdvice = await run([url, "call", "order", "--revision", "2025-06-18"]);
  expect(withoutAdvice).toMatchObject({ code: 1, stderr: expect.stringMatching(/ was asked: this client asks/) });
  expect(await run([url, "call", "fail"])).toMatchObject({ code: 1, stderr: "" });
});

test("prints updates for listen, one JSON document a line, until it is interrupted", async () => {
  let isWritten = false;
  const { code, stdout } = await run([url, "listen", "note:///a", "--json"], (text, interrupt) => {
    if (text.includes('"updated"')) interrupt();
    else if (text.includes("Listening") && !isWritten) {
      isWritten = true;
      void run([url, "call", "write", '{"text":"again"}']);
    }
  });
  expect(code).toBe(0);
  expect(
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown),
  ).toContainEqual({ kind: "updated", uri: "note:///a" });
});

test("cancels the call on an interrupt and exits with 130", async () => {
  let sent = false;
  const { code } = await run([url, "call", "wait", "--trace"], (text, interrupt) => {
    if (sent || !text.includes('"method":"tools/call"')) return;
    sent = true;
    interrupt();
  });
  expect(code).toBe(130);
});

test("escapes control characters of the server with --json", async () => {
  const { stdout } = await run([url, "call", "write", JSON.stringify({ text: "a\u009bb" }), "--json"]);
  expect(stdout).toContain("Wrote a\\u009bb");
  expect(JSON.parse(stdout)).toMatchObject({ content: [{ text: "Wrote a\u009bb" }] });
});

test("prints messages on stderr with --trace, and hides values of secret names", async () => {
  const { stdout, stderr } = await run([url, "call", "write", '{"text":"x","token":"s3cret"}', "--trace"]);
  expect(stdout).toBe("Wrote x\n");
  expect(stderr).toMatch(/^→ .*"method":"tools\/call".*"token":"\*\*\*"/m);
  expect(stderr).toMatch(/^← .*"text":"Wrote x"/m);
  expect(stderr).not.toContain("s3cret");
});

test.each([
  [["list", "--", "no-such-program-here"], 1, /Command "no-such-program-here" not found/],
  [["list"], 2, /See oarlock-client --help/],
])("exits for %j with %i and the reason", async (args, code, message) => {
  expect(await run(args)).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(message) });
});

test.each(["", "?code=S&sig=S"])("names an unreachable server without its parameters %j", async (query) => {
  const { origin, [Symbol.asyncDispose]: stop } = await startHttp(() => undefined);
  await stop();
  const { code, stderr } = await run([`${origin}/mcp${query}`, "list"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Server at ${origin}/mcp not reachable (ECONNREFUSED).`)]);
});

test("explains a wrong token in one sentence, and names --token-file when it is missing", async () => {
  const refusal = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid access token." } };
  await using guarded = await startHttp((request, response) =>
    request.url === "/mcp" ? sendJson(response, refusal, 401, { "www-authenticate": 'Bearer realm="notes"' }) : sendJson(response, {}, 404),
  );
  const target = `${guarded.origin}/mcp`;
  const file = join(folder, "token");
  writeFileSync(file, "a-wrong-token");
  const wrong = await run([target, "list", "--token-file", file]);
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Error: The server refuses this token: Invalid access token\. Check it/),
  });
  expect(wrong.stderr).not.toContain("jsonrpc");
  const missing = await run([target, "list"]);
  expect(missing.stderr).toMatch(/Pass a token from its operator with --token-file FILE\.\n$/);
});
