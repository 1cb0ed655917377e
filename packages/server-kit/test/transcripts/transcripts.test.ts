// Plays every conversation of this folder: a new file is a new test. README.md says how to write one.
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { spawnServer } from "../../../client/src/transports/stdio/server-process.ts";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { playTranscript } from "../../../testing/src/transcript/play-transcript.ts";
import { linkMemory } from "../../src/index.ts";
import { findRevision, REVISIONS, type Wire } from "../../src/protocol.ts";
import { conversations, HERE, coverageOf, type Conversation } from "./conversations.ts";
import { faultsOf, Recorded } from "./judged.ts";
import { servers } from "./sample.ts";

const ALL = conversations();
const SCHEMAS = process.env["MCP_SCHEMA_DIR"];

/** Where Node keeps compiled modules by default: each server process would compile the kit anew without it. */
const CACHE = { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "node-compile-cache") };

async function holds({ transcript }: Conversation, revision: string, wire: Wire): Promise<void> {
  const recorded = new Recorded(wire);
  await playTranscript(transcript, recorded, { variables: { revision } });
  if (SCHEMAS !== undefined) expect(await faultsOf(recorded, revision, SCHEMAS)).toEqual([]);
}

describe.concurrent.each(REVISIONS)("TRANS-02 %s", (revision) => {
  for (const conversation of ALL.filter(({ revisions }) => revisions.includes(revision))) {
    const { transcript, revisions, server } = conversation;
    test(`${transcript.title} — ${revision} in memory`, () => holds(conversation, revision, linkMemory(servers[server]!())));
    // A transport knows no revision: what several have in common is played over stdio in the newest of them.
    if (revision !== revisions[0]) continue;
    test(`${transcript.title} — ${revision} over stdio`, async () => {
      const child = spawnServer(nodeCommand(new URL("serve.ts", import.meta.url), [server], CACHE));
      await holds(conversation, revision, child);
      expect(await child.exited).toEqual({ code: 0, signal: null });
    });
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
    // The end of subscriptions comes when the pipe ends: cases/listen.test.ts tests it.
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

describe("the files", () => {
  test("all of them are played", () => {
    const there = readdirSync(HERE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".mcp"));
    expect(ALL.map(({ transcript }) => relative(HERE, transcript.file)).sort()).toEqual(there.sort());
  });

  test("every title says which requirements or cases it proves", () => {
    const ids = /^[A-Z]+-\d+(, [A-Z]+-\d+)*: \S/;
    expect(ALL.filter(({ transcript }) => !ids.test(transcript.title)).map(({ transcript }) => transcript.file)).toEqual([]);
  });
});
