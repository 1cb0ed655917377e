// Runs the server as a host does, over a pipe, in both eras of the protocol.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";

const server = fileURLToPath(new URL("server.ts", import.meta.url));

interface Request {
  method: string;
  params: object;
}
type Result = Record<string, unknown>;

/** Starts the server, says these messages, ends its input, and gives the result of each request by its number. */
function converse(messages: object[]): Map<number, Result> {
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const { stdout, stderr, status } = spawnSync(process.execPath, [server], { input, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; result?: Result; error?: unknown });
  return new Map(answers.map(({ id, result, error }) => [id, result ?? assert.fail(`Request ${id}: ${JSON.stringify(error)}`)]));
}

/** How a host asks for something: up to 2025-11-25 after a handshake, since 2026-07-28 with all that is needed in each request. */
const eras = {
  "2025-11-25": (requests: Request[]) => [
    {
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    },
    { method: "notifications/initialized" },
    ...requests.map((request, at) => ({ id: at + 1, ...request })),
  ],
  "2026-07-28": (requests: Request[]) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    return requests.map(({ method, params }, at) => ({ id: at + 1, method, params: { ...params, _meta } }));
  },
};

for (const [revision, inEra] of Object.entries(eras)) {
  /** The results of these requests, in their order. */
  const ask = (...requests: Request[]): Result[] => {
    const results = converse(inEra(requests));
    return requests.map((_, at) => results.get(at + 1) ?? assert.fail(`Request ${at + 1} was not answered`));
  };

  suite(revision, () => {
    // part: tool
    test("a note is kept", () => {
      const [tools, added] = ask(
        { method: "tools/list", params: {} },
        { method: "tools/call", params: { name: "add_note", arguments: { title: "milk", text: "Buy some." } } },
      );
      assert.deepEqual(
        (tools?.tools as Result[] | undefined)?.map(({ name }) => name),
        ["add_note"],
      );
      assert.deepEqual(added?.content, [{ type: "text", text: 'Kept "milk".' }]);
    });

    // end
    // part: resource
    test("a note is read, and its title completed", () => {
      const [read, completed] = ask(
        { method: "resources/read", params: { uri: "note:///welcome" } },
        {
          method: "completion/complete",
          params: { ref: { type: "ref/resource", uri: "note:///{+title}" }, argument: { name: "title", value: "wel" } },
        },
      );
      assert.deepEqual(read?.contents, [
        { uri: "note:///welcome", mimeType: "text/plain", text: "Notes last as long as the server runs." },
      ]);
      assert.deepEqual(completed?.completion, { values: ["welcome"], total: 1, hasMore: false });
    });

    // end
    // part: prompt
    test("the notes are summed up", () => {
      const [got] = ask({ method: "prompts/get", params: { name: "sum_up", arguments: { length: "one word" } } });
      const text = "Sum up these notes in one word.\n\n# welcome\nNotes last as long as the server runs.";
      assert.deepEqual(got?.messages, [{ role: "user", content: { type: "text", text } }]);
    });
    // end
  });
}
