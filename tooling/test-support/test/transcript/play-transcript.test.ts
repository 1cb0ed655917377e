import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { linkMemory } from "@oarlock/server-kit";
import type { Wire } from "@oarlock/server-kit/protocol";
import { tempFolder } from "@oarlock/testing";
import { sample } from "../../../../packages/testing/test/fixtures/sample.ts";
import { playTranscript, type PlayOptions } from "../../src/transcript/play-transcript.ts";
import { parseTranscript, readTranscripts } from "../../src/transcript/transcript.ts";
import { formatExpectation } from "../../src/transcript/update-transcript.ts";

const HELLO = `# A conversation

→ {"jsonrpc":"2.0","id":0,"method":"initialize",
   "params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}
← {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"sample","version":"1"},"capabilities":"<any>"}}
→ {"jsonrpc":"2.0","method":"notifications/initialized"}
`;

const talk = (rest: string, options: PlayOptions = {}): Promise<void> =>
  playTranscript(parseTranscript(HELLO + rest, "talk.mcp"), linkMemory(sample()), { update: false, ...options });

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
  playTranscript(parseTranscript(`→ 1\n${expected}`, "h.mcp"), says(...texts), { update: false, deadlineMs: 200 });

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
    const message = await failure(playTranscript(parseTranscript("→ 1\n← 2", "h.mcp"), wire, { update: false }));
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

describe("UPDATE_TRANSCRIPTS", () => {
  const update = async (source: string, wire: () => Wire, options: PlayOptions = {}): Promise<string> => {
    await using folder = tempFolder({ "x.mcp": source });
    const [transcript] = readTranscripts(folder.path);
    await playTranscript(transcript!, wire(), { ...options, update: true });
    const written = folder.read("x.mcp");
    // What was written matches from now on.
    await playTranscript(readTranscripts(folder.path)[0]!, wire(), { ...options, update: false });
    return written;
  };

  test("keeps a matching file unchanged", async () => {
    const source = '# T\n\n→ 1\n← {  "a" :  "<any>" }\n∅ silence\n\n';
    expect(await update(source, () => says('{"a":1}'))).toBe(source);
  });

  test("rewrites differences and keeps prose, sent messages and matching placeholders", async () => {
    const source = '# T\n→ 1\n← {"id":1,"a":"<number>","b":"<number>","c":3}\n\n# more\n→ 2\n← {"id":1,"a":1,"b":"x","d":[]}\n';
    expect(await update(source, () => says('{"id":1,"a":1,"b":"x","d":[]}'))).toBe(
      '# T\n→ 1\n← {"id":1,"a":"<number>","b":"x","d":[]}\n\n# more\n→ 2\n← {"id":1,"a":1,"b":"x","d":[]}\n',
    );
  });

  test("adds received messages, removes missing ones, and keeps silence", async () => {
    expect(await update("→ 1\n→ 2\n∅\n", () => says("7"))).toBe("→ 1\n→ 2\n← 7\n← 7\n∅\n");
    expect(await update('→ 1\n← {"id":1}\n← {"id":2}\n# end', () => says('{"id":2}'))).toBe('→ 1\n← {"id":2}\n# end');
  });

  test("rewrites the order, except where any order is allowed", async () => {
    expect(await update("→ 1\n← 2\n← 3\n", () => says("3", "2"))).toBe("→ 1\n← 3\n← 2\n");
    expect(await update("→ 1\n⟨\n← 2\n← 3\n⟩\n", () => says("3", "2"))).toBe("→ 1\n⟨\n← 2\n← 3\n⟩\n");
  });

  test("fills in a new conversation, with long messages in several lines and names for changing values", async () => {
    const source = `${HELLO.replaceAll(/^←.*\n/gm, "")}\n→ {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"{{long}}"}}}\n`;
    const written = await update(source, () => linkMemory(sample()), { variables: { long: `${"long ".repeat(40)}"text"` } });
    expect(written).toBe(
      [
        "# A conversation",
        "",
        '→ {"jsonrpc":"2.0","id":0,"method":"initialize",',
        '   "params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}',
        '← {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18",' +
          '"capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"sample","version":"1"}}}',
        '→ {"jsonrpc":"2.0","method":"notifications/initialized"}',
        "",
        '→ {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"{{long}}"}}}',
        '← {"jsonrpc":"2.0","id":1,"result":{"content":[',
        '    {"type":"text","text":"{{long}}"}]}}',
        "",
      ].join("\n"),
    );
  });

  test.each([
    [{ a: "x".repeat(200) }],
    [Array.from({ length: 60 }, (_, at) => ({ at, text: `item ${at}` }))],
    [Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`member ${at}`, { at, list: [at, [at, "a  b"]] }]))],
    [
      {
        jsonrpc: "2.0",
        id: 1,
        result: {
          tools: [{ name: "t", inputSchema: { type: "object", properties: { a: { description: "long ".repeat(40) } } } }],
          more: [1],
        },
      },
    ],
  ])("parses a long message in several lines", (message) => {
    const lines = formatExpectation(message);
    const [step] = parseTranscript(lines).steps;
    expect(step).toMatchObject({ kind: "expect", lines: lines.split("\n").length });
    expect(JSON.parse((step as { text: string }).text)).toEqual(message);
  });

  test("rewrites files if the environment variable is set", async () => {
    await using folder = tempFolder({ "x.mcp": "→ 1\n← 2\n" });
    process.env.UPDATE_TRANSCRIPTS = "1";
    try {
      await playTranscript(readTranscripts(folder.path)[0]!, says("3"));
    } finally {
      delete process.env.UPDATE_TRANSCRIPTS;
    }
    expect(readFileSync(folder.at("x.mcp"), "utf8")).toBe("→ 1\n← 3\n");
    writeFileSync(folder.at("x.mcp"), "→ 1\n← 2\n");
    await expect(playTranscript(readTranscripts(folder.path)[0]!, says("3"))).rejects.toThrow("expected 2, received 3");
  });
});
