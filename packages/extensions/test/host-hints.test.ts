// Hints for hosts: which clients get them, and for which the prompt of the host counts as consent.
import { expect, test } from "vitest";
import { hostHints } from "@oarlock/extensions/host-hints";
import { confirm, defineServer, tool, type Server } from "@oarlock/server-kit";
import { REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { toFetch } from "@oarlock/server-kit/fetch";
import { asks, CLIENT_INFO, posting } from "../../server-kit/test/support/stateless-message.ts";
import { ModernTalk } from "../../server-kit/test/support/modern-talk.ts";
import { Talk } from "../../server-kit/test/support/talk.ts";

const ALWAYS_LOAD = { "anthropic/alwaysLoad": true };
const ASKS = { "anthropic/requiresUserInteraction": true };

/** The same server with hints, or before it had some. */
const notes = (isHinted = true, resultBytes = 9000): Server =>
  defineServer({
    name: "notes",
    version: "1.0.0",
    limits: { resultBytes },
    tools: [
      tool({ name: "find", meta: { "com.example/unit": "s" }, run: () => "found" }),
      tool({
        name: "clear",
        run: async (_input, ctx) => ((await confirm(ctx, "Clear?", "Not cleared: no consent.")) ? "cleared" : "kept"),
      }),
      tool({ name: "drop", run: async (_input, ctx) => ((await confirm(ctx, "Drop?", "Not dropped: no consent.")) ? "dropped" : "kept") }),
    ],
    extensions: isHinted ? [hostHints({ alwaysLoad: ["find"], boundedResults: ["find", "clear"], destroys: ["clear"] })] : [],
  });

interface Caller {
  readonly name?: string;
  readonly version?: string;
  readonly revision?: string;
  readonly capabilities?: Json;
}

async function connect(server: Server, { name = "claude-code", version = "2.1.199", ...caller }: Caller = {}): Promise<Talk> {
  const { revision = "2025-11-25", capabilities = {} } = caller;
  const clientInfo = { name, version };
  if (revision === REVISIONS[0]) return new ModernTalk(server, { capabilities, clientInfo });
  const client = new Talk(server, { answers: { "elicitation/create": () => ({ action: "decline" }) } });
  client.greeting = await client.result("initialize", { protocolVersion: revision, capabilities, clientInfo });
  client.note("notifications/initialized");
  return client;
}

async function listed(server: Server, caller?: Caller): Promise<Json> {
  await using client = await connect(server, caller);
  return await client.result("tools/list");
}

/** What each tool has in `_meta`. */
const metas = async (caller?: Caller, resultBytes?: number): Promise<unknown> =>
  ((await listed(notes(true, resultBytes), caller))["tools"] as Json[]).map(({ _meta }) => _meta);

test.each(["2025-06-18", "2025-11-25", "2026-07-28"])("adds hints to the tools that it names, in %s", async (revision) => {
  const size = { "anthropic/maxResultSizeChars": 9000 };
  expect(await metas({ revision })).toEqual([{ "com.example/unit": "s", ...ALWAYS_LOAD, ...size }, { ...size, ...ASKS }, undefined]);
});

test("names no larger result than the host shows", async () => {
  expect(await metas({}, 2_500_000)).toMatchObject([{ "anthropic/maxResultSizeChars": 500_000 }, {}, undefined]);
});

test("lets no cache share a list, whichever client asked for it", async () => {
  for (const name of ["claude-code", "cursor-vscode", ""])
    expect(await listed(notes(), { name, revision: "2026-07-28" })).toMatchObject({ cacheScope: "private" });
  expect(await listed(notes(false), { revision: "2026-07-28" })).toMatchObject({ cacheScope: "public" });
});

test.each(REVISIONS)("gives clients that read no hints the list of before, byte by byte, in %s", async (revision) => {
  const shared = revision === REVISIONS[0] ? { cacheScope: "private" } : {};
  for (const name of ["cursor-vscode", "claude-ai", "Claude-Code", ""]) {
    const before = { ...(await listed(notes(false), { name, revision })), ...shared };
    expect(JSON.stringify(await listed(notes(), { name, revision }))).toBe(JSON.stringify(before));
  }
});

test.each(["2024-11-05", "2025-03-26"])("gives every client of %s the list of before", async (revision) => {
  expect(JSON.stringify(await listed(notes(), { revision }))).toBe(JSON.stringify(await listed(notes(false), { revision })));
});

test("declares no extension", async () => {
  await using client = await connect(notes(), { revision: "2026-07-28" });
  expect((await client.result("server/discover"))["capabilities"]).not.toHaveProperty("extensions");
});

test.each(["2.1.199", "2.1.200", "2.2.0", "3.0.0", "2.1.200-beta.1", "2.1.199+build"])(
  "counts the prompt of Claude Code %s as consent where it has no elicitation",
  async (version) => {
    await using client = await connect(notes(), { version });
    expect(await client.replyText("clear")).toBe("cleared");
    expect(await client.failure("drop")).toBe("Not dropped: no consent.");
  },
);

test.each([
  ["an older Claude Code", { version: "2.1.198" }],
  ["a pre-release of the first version", { version: "2.1.199-beta.1" }],
  ["Claude Code of an unknown version", { version: "latest" }],
  ["a version of two numbers", { version: "3.0" }],
  ["another host", { name: "cursor-vscode", version: "3.1.0" }],
  ["a revision without hints", { revision: "2025-03-26" }],
])("refuses as before for %s", async (_, caller) => {
  await using client = await connect(notes(), caller);
  expect(await client.failure("clear")).toBe("Not cleared: no consent.");
  const { tools } = await client.result("tools/list");
  expect(JSON.stringify(tools)).not.toContain("requiresUserInteraction");
});

test("counts no prompt of a host whose list was made for another client of the same pipe", async () => {
  const meta = (name: string): Json => ({ _meta: { [CLIENT_INFO]: { name, version: "2.1.199" } } });
  await using client = await connect(notes(), { revision: "2026-07-28", name: "gateway" });
  await client.result("tools/list");
  const clear = (): Promise<Json> => client.result("tools/call", { name: "clear", arguments: {}, ...meta("claude-code") });
  expect(await clear()).toMatchObject({ isError: true, content: [{ text: "Not cleared: no consent." }] });
  await client.result("tools/list", meta("claude-code"));
  expect(await clear()).toMatchObject({ content: [{ text: "cleared" }] });
});

test("counts no prompt over HTTP without a session, where nothing tells who read the list", async () => {
  const handle = toFetch(notes());
  const meta = { [CLIENT_INFO]: { name: "claude-code", version: "2.1.199" } };
  const send = async (method: string, params: Json): Promise<unknown> => {
    const message = posting(asks(method, params, { meta }));
    return (await handle(new Request("http://localhost/mcp", { method: "POST", ...(message as RequestInit) }))).json();
  };
  expect(await send("tools/list", {})).toMatchObject({ result: { cacheScope: "private" } });
  expect(await send("tools/call", { name: "clear", arguments: {} })).toMatchObject({ result: { isError: true } });
  await handle.close(0);
});

test("asks by elicitation where the client has it, and does not hint", async () => {
  const capabilities = { elicitation: {} };
  await using client = await connect(notes(), { capabilities });
  expect(await client.replyText("clear")).toBe("kept");
  expect(await metas({ capabilities })).toEqual([expect.objectContaining(ALWAYS_LOAD), expect.not.objectContaining(ASKS), undefined]);
});
