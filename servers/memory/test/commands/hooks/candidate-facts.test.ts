// What the user said that becomes a candidate, in the forms in which hosts keep transcripts.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { candidateFacts } from "../../../src/commands/hooks/candidate-facts.ts";
import { userMessages } from "../../../src/commands/hooks/user-messages.ts";

test.each([
  ["Remember that the shop deploys on Fridays.", "the shop deploys on Fridays."],
  ["Thanks! Please note: tests need Postgres 17.", "tests need Postgres 17."],
  ["From now on use tabs.", "From now on use tabs."],
  ["We decided to drop Redis. Why is it slow?", "We decided to drop Redis."],
  ["Merk dir, dass der Server in Bonn steht.", "der Server in Bonn steht."],
  ["Wir verwenden pnpm im ganzen Projekt.", "Wir verwenden pnpm im ganzen Projekt."],
])("takes the fact of %j", (message, fact) => {
  expect(candidateFacts([message])).toEqual([fact]);
});

test.each([
  "Do you remember that day?",
  "Remember the password hunter2 for me.",
  "Remember that the key is sk-abcdefghijklmnopqrstuvwxyz0123456789.",
  "Why do we use Redis here?",
  "Fix the login page.",
  "```\nalways run this code in a loop\n```",
  `Remember that ${"x ".repeat(300)}`,
])("takes nothing of %j", (message) => {
  expect(candidateFacts([message])).toEqual([]);
});

test("takes each fact once, and at most 20", () => {
  const messages = Array.from({ length: 30 }, (_, at) => `Remember that room ${at} is blue.`);
  expect(candidateFacts([...messages, ...messages])).toHaveLength(20);
});

const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe("userMessages", () => {
  test.each([
    [
      "Claude Code",
      lines(
        { type: "user", isMeta: true, message: { role: "user", content: "caveat" } },
        { type: "user", message: { role: "user", content: "one" } },
        { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "no" }] } },
        { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "no" }] } },
        { type: "user", message: { role: "user", content: [{ type: "text", text: "two" }] } },
      ),
    ],
    [
      "Codex",
      lines(
        { type: "session_meta", payload: { id: "x" } },
        { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: "one" }] } },
        { type: "response_item", payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "no" }] } },
        { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: "two" }] } },
      ),
    ],
    ["Cursor", lines({ role: "user", message: { content: [{ type: "text", text: "one" }] } }, { role: "user", content: "two" })],
    [
      "Gemini CLI",
      JSON.stringify({
        messages: [
          { type: "user", content: "one" },
          { type: "gemini", content: "no" },
          { type: "user", content: [{ text: "two" }] },
        ],
      }),
    ],
  ])("reads those of %s", async (_, transcript) => {
    await using folder = tempFolder({ "transcript.jsonl": transcript });
    expect(userMessages(folder.at("transcript.jsonl"))).toEqual(["one", "two"]);
  });

  test("takes nothing of a line that is being written", async () => {
    await using folder = tempFolder({ "t.jsonl": `${lines({ role: "user", content: "one" })}{"role":"user","cont` });
    expect(userMessages(folder.at("t.jsonl"))).toEqual(["one"]);
  });
});
