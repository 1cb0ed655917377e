import { expect, test } from "vitest";
import { tempFolder } from "../../../../testing/src/files/temp-folder.ts";
import { parseTranscript, readTranscripts } from "./transcript.ts";

test("parses prose, sent and expected messages, raw text, silence, any order and continued lines", () => {
  const source = [
    "# A greeting",
    "# in two lines",
    "",
    '→ {"id":1}',
    "⇥ {broken ",
    '← {"a":1,',
    '    "b":',
    "    2}",
    "∅ nothing else",
    "⟨ in any order",
    '← "{{name}}"',
    "⟩",
    "",
  ].join("\n");
  const { title, steps } = parseTranscript(source, "x.mcp");
  expect(title).toBe("A greeting");
  expect(steps).toEqual([
    { line: 4, lines: 1, kind: "send", text: '{"id":1}', raw: false },
    { line: 5, lines: 1, kind: "send", text: "{broken ", raw: true },
    { line: 6, lines: 3, kind: "expect", text: '{"a":1,"b":2}' },
    { line: 9, lines: 1, kind: "quiet" },
    { line: 10, lines: 1, kind: "open" },
    { line: 11, lines: 1, kind: "expect", text: '"{{name}}"' },
    { line: 12, lines: 1, kind: "close" },
  ]);
});

test.each([
  ["a stray line", "hello", "x.mcp:1: Unknown line: expected one of # → ⇥ ← ∅ ⟨ ⟩ or a space at its start. Received: hello"],
  ["a message that is not JSON", "# t\n→ {", /^x\.mcp:2: Invalid JSON: /],
  ["an expectation that is not JSON", '← {"a":1,\n  "b"}', /^x\.mcp:1: Invalid JSON: /],
  ["a continuation of nothing", "# t\n  1}", "x.mcp:2: Continuation line without a message: expected a message on the line before."],
  ["a continuation behind a gap", "← 1\n\n  2", "x.mcp:3: Continuation line without a message: expected a message on the line before."],
  ["an end without a start", "⟩", "x.mcp:1: Unpaired ⟨ or ⟩: expected ⟩ after each ⟨."],
  ["a start in a start", "⟨\n⟨", "x.mcp:2: Unpaired ⟨ or ⟩: expected ⟩ after each ⟨."],
  ["a start without an end", "⟨\n← 1", "x.mcp:2: Unclosed ⟨: expected ⟩ before the end of the file."],
  ["a message in between", "⟨\n→ 1\n⟩", "x.mcp:2: Wrong line between ⟨ and ⟩: expected only lines that begin with ←."],
])("refuses %s with file and line", (_, source, message) => {
  expect(() => parseTranscript(source, "x.mcp")).toThrow(message);
});

test("reads all conversations of a folder by name", async () => {
  await using folder = tempFolder({ "b.mcp": "# B", "a.mcp": "# A", "notes.txt": "no" });
  expect(readTranscripts(folder.path).map(({ title, file }) => [title, file])).toEqual([
    ["A", folder.at("a.mcp")],
    ["B", folder.at("b.mcp")],
  ]);
});
