import { describe, expect, test } from "vitest";
import { linkMemory } from "../../../src/index.ts";
import type { Wire } from "../../../src/protocol.ts";
import { sample } from "../../../../testing/test/fixtures/sample.ts";
import { playTranscript, type PlayOptions } from "./play-transcript.ts";
import { parseTranscript } from "./transcript.ts";

const HELLO = `# A conversation

→ {"jsonrpc":"2.0","id":0,"method":"initialize",
   "params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}
← {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"sample","version":"1"},"capabilities":"<any>"}}
→ {"jsonrpc":"2.0","method":"notifications/initialized"}
`;

const talk = (rest: string, options: PlayOptions = {}): Promise<void> =>
  playTranscript(parseTranscript(HELLO + rest, "talk.mcp"), linkMemory(sample()), options);

/** A server that says these texts to each message but pings, which it answers. */
function says(...texts: string[]): Wire {
  const wire: Wire = {
    onText: undefined,
    onClose: undefined,
    send(text) {
      const { id, method } = JSON.parse(text);
      const answers = method === "ping" ? [JSON.stringify({ jsonrpc: "2.0", id, result: {} })] : texts;
      for (const answer of answers) queueMicrotask(() => wire.onText?.(answer));
    },
    close: async () => undefined,
  };
  return wire;
}
const hear = (expected: string, ...texts: string[]): Promise<void> =>
  playTranscript(parseTranscript(`→ 1\n${expected}`, "h.mcp"), says(...texts), { deadlineMs: 200 });

describe("plays a matching conversation", () => {
  const WHOLE = `
# calls, progress, raw text
→ {"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}}}
← {"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"hi"}]}}
→ {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":"p"}}}
← {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
← {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":"<number>"}}
← {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"<string>"}]}}
⇥ {broken
← {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}
→ {"jsonrpc":"2.0","method":"notifications/unknown"}
∅
→ {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask"}}
← {"jsonrpc":"2.0","id":"<any:question>","method":"elicitation/create","params":{"message":"Sure?",
   "requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}}}
→ {"jsonrpc":"2.0","id":"<=question>","result":{"action":"decline"}}
← {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"decline"}]}}
`;
  test("in memory", () => talk(WHOLE));

  test("with names for values that differ between runs", async () => {
    process.env.SAMPLE_FOLDER = 'a "quoted" \\ folder';
    try {
      await talk(
        `→ {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"where"}}
← {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{{folder}}"}]}}
→ {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"in {{folder}}"}}}
← {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"in {{folder}}"}]}}`,
        { variables: { folder: 'a "quoted" \\ folder' } },
      );
    } finally {
      delete process.env.SAMPLE_FOLDER;
    }
  });

  test("in any order, if the file allows it", async () => {
    await hear("⟨\n← 2\n← 3\n← 3\n⟩", "3", "2", "3");
    await hear("⟨\n← 2\n⟩\n← 3", "2", "3");
  });
});

describe("a difference is reported with file, line and path", () => {
  const failure = (asked: Promise<void>): Promise<string> =>
    asked.then(
      () => "it matched",
      (error: Error) => error.message,
    );

  test("another value, and an unexpected member", async () => {
    expect(await failure(hear('\n← {"id":1,"result":{"a":1}}', '{"id":1,"result":{"a":2,"title":"new"}}'))).toBe(
      [
        "h.mcp:3: The server's message differs",
        "  result.a: expected 1, received 2",
        '  result.title: not expected, received "new"',
        '  expected ← {"id":1,"result":{"a":1}}',
        '  received ← {"id":1,"result":{"a":2,"title":"new"}}',
      ].join("\n"),
    );
  });

  test("the wrong order", async () => {
    expect(await failure(hear("← 2\n← 3", "3", "2"))).toContain(
      "h.mcp:2: The server's message differs\n  message: expected 2, received 3\n",
    );
  });

  test("a message that is missing from any order", async () => {
    expect(await failure(hear("⟨\n← 2\n← 3\n← 4\n⟩", "3", "5", "6"))).toBe(
      [
        "h.mcp:3: The server's message differs",
        "  (2 messages match no expectation; compared are the first of each)",
        "  message: expected 2, received 5",
        "  expected ← 2",
        "  received ← 5",
      ].join("\n"),
    );
  });

  test("no message", async () => {
    expect(await failure(hear("← 2\n← 3", "2"))).toBe("h.mcp:3: No message received: within 200 ms\n  expected ← 3");
  });

  test("the connection ends", async () => {
    const wire = linkMemory(sample());
    wire.send = () => wire.onClose?.(new Error("The connection broke"));
    const message = await failure(playTranscript(parseTranscript("→ 1\n← 2", "h.mcp"), wire));
    expect(message).toBe("h.mcp:2: No message received: The connection broke\n  expected ← 2");
  });

  test("a message where silence is expected, or at the end", async () => {
    expect(await failure(hear("∅", "2", "3"))).toBe("h.mcp:2: Expected no further message\n  received ← 2\n  received ← 3");
    expect(await failure(hear("← 2", "2", "3"))).toBe("h.mcp:2: Expected no further message\n  received ← 3");
  });

  test("text that is not JSON", async () => {
    expect(await failure(hear("← 2", "{oops"))).toContain('message: expected 2, received {"not JSON":"{oops"}');
  });
});
