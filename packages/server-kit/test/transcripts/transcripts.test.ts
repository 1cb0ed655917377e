// Plays every conversation of this folder in memory: a new file is a new test. README.md says how to write one.
import { readdirSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, test } from "vitest";
import { linkMemory } from "../../src/index.ts";
import { findRevision, REVISIONS } from "../../src/protocol.ts";
import { conversations, HERE, coverageOf } from "./conversations.ts";
import { holdConversation } from "./judged.ts";
import { servers } from "./sample.ts";

const ALL = conversations();

describe.each(REVISIONS)("TRANS-02 %s", (revision) => {
  for (const conversation of ALL.filter(({ revisions }) => revisions.includes(revision))) {
    const { transcript, server } = conversation;
    test(`${transcript.title} — ${revision}`, () => holdConversation(conversation, revision, linkMemory(servers[server]!())));
  }
});

describe.each(REVISIONS)("the conversations in %s", (revision) => {
  const { sent, received, codes } = coverageOf(ALL, revision);
  const { methods, facts } = findRevision(revision)!;

  const isStateless = facts.era === "stateless";

  test("show every method and every notification", () => {
    const notes = isStateless ? ["cancelled"] : ["initialized", "cancelled", "roots/list_changed"];
    const client = [...methods, ...notes.map((name) => `notifications/${name}`)];
    expect(client.filter((method) => !sent.has(method))).toEqual([]);
    // The end of subscriptions comes when the pipe ends: cases/stdio.deep.test.ts tests it.
    const notifications = [
      isStateless ? "subscriptions/acknowledged" : "cancelled",
      "progress",
      "message",
      "resources/updated",
      ...["tools", "prompts", "resources"].map((list) => `${list}/list_changed`),
    ];
    const requests = ["roots/list", "sampling/createMessage", ...(facts.elicit ? ["elicitation/create"] : [])];
    expect([...notifications.map((name) => `notifications/${name}`), ...requests].filter((method) => !received.has(method))).toEqual([]);
  });

  test("show every error code", () => {
    const own = isStateless ? [-32021, -32022] : [-32002];
    expect([-32700, -32600, -32601, -32602, -32603, ...own].filter((code) => !codes.has(code))).toEqual([]);
  });
});

describe("the files of conversations", () => {
  test("are all played", () => {
    const there = readdirSync(HERE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mcp"));
    expect(ALL.map(({ transcript }) => relative(HERE, transcript.file)).sort()).toEqual(there.sort());
  });

  test("have requirements or cases in every title", () => {
    const ids = /^[A-Z]+-\d+(, [A-Z]+-\d+)*: \S/;
    expect(ALL.filter(({ transcript }) => !ids.test(transcript.title)).map(({ transcript }) => transcript.file)).toEqual([]);
  });
});
