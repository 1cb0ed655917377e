// import --format chat: each turn with its speaker and its time, from the forms that people have.
import { expect, test } from "vitest";
import { importChat } from "../../../../src/addons/notes/imports/chat.ts";
import { ImportedGraph } from "../../../../src/addons/notes/imports/imported-graph.ts";

function read(text: string): Record<string, string[]> {
  const graph = new ImportedGraph();
  importChat(text, "in", graph);
  return Object.fromEntries([...graph.entities.values()].map(({ name, observations }) => [name, [...observations]]));
}

const AT = Date.UTC(2023, 4, 8, 13, 56);

test.each<[what: string, text: string, expected: Record<string, string[]>]>([
  [
    "names without dates",
    "Caroline: I went to a group.\nIt helped.\nMel: Great: tell me more\nCaroline: Sure",
    {
      "Chat: in": [
        "Caroline [unreviewed]: I went to a group.\nIt helped.",
        "Mel [unreviewed]: Great: tell me more",
        "Caroline [unreviewed]: Sure",
      ],
    },
  ],
  [
    "dates before names, on two days",
    "[2023-05-08 13:56] Ann: hello\n[2023-05-09 08:00] Bo: hi",
    {
      "Chat: in, 2023-05-08": ["2023-05-08 13:56 Ann [unreviewed]: hello"],
      "Chat: in, 2023-05-09": ["2023-05-09 08:00 Bo [unreviewed]: hi"],
    },
  ],
  [
    "WhatsApp on two systems",
    "[08/05/2023, 13:56:07] Ann Lee: hello\n25/05/2023, 14:00 - Bo: hi",
    {
      "Chat: in, 2023-05-08": ["2023-05-08 13:56 Ann Lee [unreviewed]: hello"],
      "Chat: in, 2023-05-25": ["2023-05-25 14:00 Bo [unreviewed]: hi"],
    },
  ],
  [
    "a date above the turns",
    "Session 1 (1:56 pm on 8 May, 2023)\nAnn: hello\nBo: hi\n--- May 9, 2023 ---\nAnn: again",
    {
      "Chat: in, 2023-05-08": ["2023-05-08 13:56 Ann [unreviewed]: hello", "2023-05-08 13:56 Bo [unreviewed]: hi"],
      "Chat: in, 2023-05-09": ["2023-05-09 Ann [unreviewed]: again"],
    },
  ],
  [
    "JSON lines of roles",
    '{"role":"system","content":"x"}\n{"role":"user","content":"hello"}\n{"role":"assistant","content":[{"type":"text","text":"hi"}]}\n',
    { "Chat: in": ["user [unreviewed]: hello", "assistant [unreviewed]: hi"] },
  ],
  [
    "a list with times in milliseconds",
    JSON.stringify([{ speaker: "Ann", text: "hello", timestamp: AT }]),
    { "Chat: in, 2023-05-08": ["2023-05-08 13:56 Ann [unreviewed]: hello"] },
  ],
  [
    "conversations with messages",
    JSON.stringify([{ id: "c1", title: "T", messages: [{ from: "human", value: "hello" }] }]),
    { "Chat: T (c1)": ["human [unreviewed]: hello"] },
  ],
  [
    "a ChatGPT export",
    JSON.stringify([
      {
        id: "abc",
        title: "Trip",
        mapping: { a: { message: { author: { role: "user" }, create_time: AT / 1000, content: { parts: ["hello"] } }, children: [] } },
      },
    ]),
    { "Chat: Trip (abc), 2023-05-08": ["2023-05-08 13:56 user [unreviewed]: hello"] },
  ],
  [
    "a Claude export",
    JSON.stringify([{ uuid: "u", name: "Trip", chat_messages: [{ sender: "human", text: "hello", created_at: "2023-05-08T13:56:00Z" }] }]),
    { "Chat: Trip (u), 2023-05-08": ["2023-05-08 13:56 user [unreviewed]: hello"] },
  ],
])("reads %s", (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("takes a long line in proportion to its length", () => {
  expect(read(`Ann: ${"a ".repeat(200_000)}\n${"[x ".repeat(200_000)}`)).toHaveProperty("Chat: in");
});
