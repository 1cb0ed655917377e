// Plays ten conversations over stdio, which differ in what they do with the pipe; transcripts.test.ts plays all of them in memory.
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { spawnServer } from "../../../client/src/transports/stdio/server-process.ts";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { conversations, HERE } from "./conversations.ts";
import { holdConversation } from "./judged.ts";

const PLAYED = [
  "2024-11-05/blocks",
  "2025-03-26/batch-answers",
  "2025-06-18/elicit-form",
  "2025-11-25/sampling-tools",
  "2026-07-28/both-eras",
  "2026-07-28/elicit",
  "2026-07-28/listen",
  "stateful/not-a-message",
  "stateful/questions-at-once",
  "stateful/unicode",
];

/** Where Node keeps compiled modules by default: each server process would compile the kit anew without it. */
const CACHE = { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "node-compile-cache") };

const all = new Map(conversations().map((conversation) => [relative(HERE, conversation.transcript.file), conversation]));

// A transport knows no revision: what several have in common is played in the newest of them.
test.each(PLAYED)("TRANS-02 plays %s over stdio", async (name) => {
  const conversation = all.get(join(`${name}.mcp`));
  if (conversation === undefined) throw new Error(`There is no conversation ${name}.`);
  const { revisions, server } = conversation;
  const child = spawnServer(nodeCommand(new URL("serve.ts", import.meta.url), [server], CACHE));
  await holdConversation(conversation, String(revisions[0]), child);
  expect(await child.exited).toEqual({ code: 0, signal: null });
});
