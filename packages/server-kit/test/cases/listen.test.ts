// Subscriptions of the newest era on one pipe, which all of them share (requirements SUB-07 to SUB-23).
import { expect, test } from "vitest";
import type { Json } from "../../src/protocol.ts";
import type { LinePeer } from "../support/line-server.ts";
import { answersTo, cancel, eventually, rawSample, stillServes } from "../support/sample.ts";
import { asks, SUBSCRIPTION_ID } from "../support/stateless-message.ts";

const TEXT = "sample://text";
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [TEXT] };

const tagged = (method: string, id: unknown, params: Json = {}): Json => ({
  jsonrpc: "2.0",
  method,
  params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } },
});
const ack = (id: unknown, notifications: Json): Json => tagged("notifications/subscriptions/acknowledged", id, { notifications });
const changed = (list: string, id: unknown): Json => tagged(`notifications/${list}/list_changed`, id);
const updated = (id: unknown, uri = TEXT): Json => tagged("notifications/resources/updated", id, { uri });
const listen = (id: unknown, notifications: Json): Json => asks("subscriptions/listen", { notifications }, { id });
const run = (name: string, args: Json): Json => asks("tools/call", { name, arguments: args }, { id: `run ${name}` });

/** Sends lines, and takes so many messages that come back. What comes without being taken shows at the next `silence`. */
async function take(server: LinePeer, count: number, ...lines: Json[]): Promise<Json[]> {
  for (const line of lines) void server.send(line);
  const came: Json[] = [];
  while (came.length < count) came.push(await server.message());
  return came;
}

/** The notifications up to the answer of a call. */
async function notes(server: LinePeer, line: Json): Promise<Json[]> {
  const came = await take(server, 1, line);
  while (came.at(-1)?.["id"] !== line["id"]) came.push(await server.message());
  return came.slice(0, -1);
}

const silence = async (server: LinePeer): Promise<void> => expect(await answersTo(server, [])).toEqual([]);

test.each([[1], ["one"]])(
  "SUB-07 SUB-08 SUB-09 SUB-10 acknowledges a subscription first, then sends the requested notifications: id %j",
  async (id) => {
    await using server = rawSample();
    expect(await take(server, 1, listen(id, { ...ALL, promptsListChanged: false, taskIds: ["x"] }))).toEqual([
      ack(id, { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [TEXT] }),
    ]);
    expect(await notes(server, run("grow", { name: "more" }))).toEqual([changed("tools", id), changed("resources", id)]);
    expect(await notes(server, run("touch", { uri: TEXT }))).toEqual([updated(id)]);
    await silence(server);
  },
);

test("SUB-18 sends nothing about other URIs", async () => {
  await using server = rawSample();
  await take(server, 1, listen(1, { resourceSubscriptions: ["sample:///items/beta"] }));
  expect(await notes(server, run("touch", { uri: TEXT }))).toEqual([]);
  expect(await notes(server, run("touch", { uri: "sample:///items/beta" }))).toEqual([updated(1, "sample:///items/beta")]);
});

test("SUB-23 acknowledges each of several subscriptions on one pipe first, and sends each notification once", async () => {
  await using server = rawSample();
  const lines = [
    listen(1, ALL),
    run("grow", { name: "more" }),
    listen("1", { toolsListChanged: true }),
    listen("x", { resourceSubscriptions: [TEXT] }),
  ];
  const came = await take(server, 7, ...lines);
  const of = (id: unknown): Json[] =>
    came.filter(({ params }) => ((params as Json | undefined)?.["_meta"] as Json | undefined)?.[SUBSCRIPTION_ID] === id);
  expect(of(1)).toEqual([ack(1, ALL), changed("tools", 1), changed("resources", 1), changed("prompts", 1)]);
  expect(of("1")).toEqual([ack("1", { toolsListChanged: true })]);
  expect(of("x")).toEqual([ack("x", { resourceSubscriptions: [TEXT] })]);
  await silence(server);
  const grown = await notes(server, run("grow", { name: "again" }));
  expect(grown).toHaveLength(4);
  expect(grown).toEqual(expect.arrayContaining([changed("tools", 1), changed("tools", "1")]));
  const touched = await notes(server, run("touch", { uri: TEXT }));
  expect(touched).toHaveLength(2);
  expect(touched).toEqual(expect.arrayContaining([updated(1), updated("x")]));
});

test("SUB-17 PROG-13 LOG-12 sends progress and log of other calls untagged", async () => {
  await using server = rawSample();
  await take(server, 1, listen("news", ALL));
  const progress = asks("tools/call", { name: "progress", arguments: { steps: [1] } }, { id: 1, progressToken: "p", logLevel: "debug" });
  expect(await notes(server, progress)).toEqual([
    { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "p", progress: 1, message: "step 1" } },
  ]);
  const log = asks("tools/call", { name: "log", arguments: { data: 1 } }, { id: 2, logLevel: "error" });
  expect(await notes(server, log)).toEqual([
    { jsonrpc: "2.0", method: "notifications/message", params: { level: "error", logger: "sample", data: 1 } },
  ]);
});

test("SUB-19 CANCEL-11 sends nothing after the client's cancellation, and stops every watch", async () => {
  await using server = rawSample();
  await take(server, 2, listen(1, ALL), listen(2, { toolsListChanged: true }));
  expect(await answersTo(server, [cancel(1)])).toEqual([]);
  await eventually(() => server.stderr).toContain(`stopped watching ${TEXT}`);
  expect(await notes(server, run("touch", { uri: TEXT }))).toEqual([]);
  expect(await notes(server, run("grow", { name: "more" }))).toEqual([changed("tools", 2)]);
  // The same id again is another subscription.
  expect(await take(server, 1, listen(1, {}))).toEqual([ack(1, {})]);
  await silence(server);
});

test("refuses an invalid filter, and keeps the pipe open", async () => {
  await using server = rawSample();
  const wrong = [undefined, null, [], "all", { toolsListChanged: 1 }, { resourceSubscriptions: "x" }];
  const answers = await answersTo(
    server,
    wrong.map((notifications, id) => asks("subscriptions/listen", { notifications }, { id })),
  );
  expect(answers).toEqual(
    wrong.map((_, id) => ({ jsonrpc: "2.0", id, error: { code: -32602, message: expect.stringContaining("notifications") } })),
  );
  await server.handshake();
  await stillServes(server);
});
