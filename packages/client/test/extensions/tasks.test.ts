// Calls that become tasks on the server: `call` gives the final result all the same.
import { afterEach, describe, expect, test, vi } from "vitest";
import { linkMemory } from "@oarlock/server-kit";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { McpError, type Json } from "@oarlock/server-kit/protocol";
import {
  connect,
  ConnectionClosedError,
  InvalidResponseError,
  RequestTimeoutError,
  TaskCancelledError,
  UnsupportedCapabilityError,
  type Client,
  type ConnectOptions,
} from "@oarlock/client";
import { tasksServer } from "../../../extensions/test/tasks/fixtures/tasks-server.ts";
import { ALL, failure, type ScriptedPeer } from "../support/scripted-peer.ts";
import { envelopeOf, give, connectStateless, ownOf, serveStateless, refuse, subscriptionId } from "../support/stateless-peers.ts";

const textOf = ({ content }: { content: unknown }): unknown => (content as { text: string }[])[0]?.text;
const accept = { action: "accept" as const, content: { word: "yes" } };

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A client, all that it sent, and where another client finds the server. */
async function openOver(
  transport: string,
  options: ConnectOptions = {},
): Promise<{ client: Client; sent: Json[]; to: Parameters<typeof connect>[0] }> {
  const sent: Json[] = [];
  const onWire = (direction: string, text: string): void => void (direction === "sent" && sent.push(JSON.parse(text)));
  const server = tasksServer({ afterMs: 30 });
  let to: Parameters<typeof connect>[0] = { url: "" };
  if (transport === "memory") to = linkMemory(server);
  else {
    const http: HttpServer = await serveHttp(server, { port: 0, graceMs: 0 });
    stops.push(() => http.stop());
    to = { url: http.url };
  }
  const client = await connect(to, { revision: "2026-07-28", onWire, ...options });
  stops.unshift(() => client.close());
  return { client, sent, to };
}
const methods = (sent: readonly Json[]): unknown[] => sent.map(({ method }) => method);

describe.each(["memory", "http"])("over %s", (transport) => {
  const open = (options?: ConnectOptions) => openOver(transport, options);

  test("TASK-45 TASK-57 returns the result of a call that became a task", async () => {
    const { client, sent } = await open();
    const answer = client.call("hold", { name: `result ${transport}` });
    await expect.poll(() => methods(sent)).toContain("tasks/get");
    await client.call("release", { name: `result ${transport}` });
    expect(await answer).toEqual({ content: [{ type: "text", text: `released result ${transport}` }] });
  });

  test("returns a tool error as a result, and throws the error of a failed task", async () => {
    const { client } = await open();
    expect(await client.call("fail")).toMatchObject({ isError: true, content: [{ text: "It failed." }] });
    expect(await failure(client.call("break"))).toMatchObject({ code: -32001, message: "It broke.", data: { why: "old" } });
  });

  test("answers each input request of a task once", async () => {
    const elicit = vi.fn<() => typeof accept>(() => accept);
    const { client, sent } = await open({ elicit });
    expect(textOf(await client.call("elicit"))).toBe("yes yes yes");
    expect(elicit).toHaveBeenCalledTimes(3);
    expect(methods(sent).filter((method) => method === "tasks/update")).toHaveLength(3);
  });

  test("answers the rounds of a request, then the input requests of its task", async () => {
    const { client } = await open({ elicit: () => accept });
    const answer = client.call("elicit-then-hold", { name: `rounds ${transport}` });
    await client.call("release", { name: `rounds ${transport}` });
    expect(textOf(await answer)).toBe(`yes released rounds ${transport}, yes`);
  });

  test("TASK-59 cancels the task when its signal aborts", async () => {
    const { client, sent } = await open();
    const abort = new AbortController();
    const answer = failure(client.call("hold", { name: `abort ${transport}` }, { signal: abort.signal }));
    await expect.poll(() => methods(sent)).toContain("tasks/get");
    abort.abort(new Error("no longer needed"));
    expect((await answer).message).toBe("no longer needed");
    await expect.poll(() => methods(sent)).toContain("tasks/cancel");
    const cancelled = sent.filter(({ method }) => method === "notifications/cancelled").map(({ params }) => (params as Json).requestId);
    const calls = sent.filter(({ method }) => method === "tools/call").map(({ id }) => id);
    expect(cancelled.filter((id) => calls.includes(id))).toEqual([]);
    const { taskId } = sent.find(({ method }) => method === "tasks/cancel")!.params as Json;
    await expect.poll(async () => (await client.request("tasks/get", { taskId })).status).toBe("cancelled");
  });

  test("cancels a task whose input request its handler rejects", async () => {
    const elicit = (): never => {
      throw new Error("no user is present");
    };
    const { client, sent } = await open({ elicit });
    expect((await failure(client.call("elicit"))).message).toBe("no user is present");
    await expect.poll(() => methods(sent)).toContain("tasks/cancel");
  });

  test("receives the end of a task by subscription, without a further poll", async () => {
    const { client, sent } = await open();
    const name = `push ${transport}`;
    const answer = client.call("hold", { name });
    await expect.poll(() => methods(sent).filter((method) => method === "tasks/get").length).toBe(1);
    await client.call("release", { name });
    expect(textOf(await answer)).toBe(`released ${name}`);
    expect(methods(sent).filter((method) => method === "tasks/get")).toHaveLength(1);
  });

  test("resumes like a call: with a tool error as a result, the error of the task, and cancellation on abort", async () => {
    const { client, sent } = await open();
    const taskOf = async (name: string, args: Json = {}): Promise<string> => {
      const created = Promise.withResolvers<string>();
      client.call(name, args, { onTask: ({ taskId }) => created.resolve(taskId) }).catch(() => undefined);
      return created.promise;
    };
    expect(await client.tasks.resume(await taskOf("fail"))).toMatchObject({ isError: true, content: [{ text: "It failed." }] });
    expect(await failure(client.tasks.resume(await taskOf("break")))).toMatchObject({ code: -32001, data: { why: "old" } });
    expect(await failure(client.tasks.resume("unknown"))).toMatchObject({ code: -32602 });
    const blocked = await taskOf("hold", { name: `resume ${transport}` });
    expect(await failure(client.tasks.resume(blocked, { maxTotalMs: 100 }))).toBeInstanceOf(RequestTimeoutError);
    await expect.poll(() => methods(sent)).toContain("tasks/cancel");
    await expect.poll(async () => (await client.tasks.get(blocked)).status).toBe("cancelled");
    const other = await taskOf("hold", { name: `cancel ${transport}` });
    await client.tasks.cancel(other);
    await expect.poll(async () => (await client.tasks.get(other)).status).toBe("cancelled");
    expect(await failure(client.tasks.resume(other))).toBeInstanceOf(TaskCancelledError);
  });

  test("has no tasks with tasks: false", async () => {
    const { client } = await open({ tasks: false });
    expect(() => client.tasks).toThrow(UnsupportedCapabilityError);
  });

  test("throws when another client cancelled the task", async () => {
    const { client, sent } = await open();
    const answer = failure(client.call("hold", { name: `other ${transport}` }));
    const polled = (): Json | undefined => sent.find(({ method }) => method === "tasks/get");
    await expect.poll(polled).toBeDefined();
    await client.request("tasks/cancel", { taskId: (polled()!.params as Json).taskId });
    expect(await answer).toBeInstanceOf(TaskCancelledError);
  });

  test("gives up after the total time, and cancels the task", async () => {
    const { client, sent } = await open();
    expect(await failure(client.call("hold", { name: "never" }, { maxTotalMs: 300 }))).toBeInstanceOf(RequestTimeoutError);
    await expect.poll(() => methods(sent)).toContain("tasks/cancel");
  });

  test.each<[string, ConnectOptions, boolean]>([
    ["tasks: false", { tasks: false }, false],
    ["onProgress", {}, true],
  ])("declares no tasks with %s, so that the server answers in place", async (title, options, wantsProgress) => {
    const { client, sent } = await open(options);
    const name = `${title} ${transport}`;
    const answer = client.call("hold", { name }, wantsProgress ? { onProgress: () => undefined } : {});
    await client.call("quick");
    await client.call("release", { name });
    expect(textOf(await answer)).toBe(`released ${name}`);
    expect(methods(sent)).not.toContain("tasks/get");
  });
});

test("TASK-65 resumes a task from another client by its stored id", async () => {
  const first = await openOver("http", { elicit: () => new Promise(() => undefined) });
  const stored: string[] = [];
  const lost = failure(first.client.call("elicit", {}, { onTask: ({ taskId }) => stored.push(taskId) }));
  await expect.poll(() => stored.length).toBe(1);
  const [taskId = ""] = stored;
  await expect.poll(async () => (await first.client.tasks.get(taskId)).status).toBe("input_required");
  await first.client.close();
  expect(await lost).toBeInstanceOf(ConnectionClosedError);
  const elicit = vi.fn<() => typeof accept>(() => accept);
  await using second = await connect(first.to, { revision: "2026-07-28", elicit });
  expect(textOf(await second.tasks.resume(taskId))).toBe("yes yes yes");
  expect(textOf(await second.tasks.resume(taskId))).toBe("yes yes yes"); // also after its end
  expect(elicit).toHaveBeenCalledTimes(3);
});

describe("a scripted server", () => {
  const task = (status: string, more: Json = {}): Json => ({
    taskId: "t",
    status,
    createdAt: "",
    lastUpdatedAt: "",
    ttlMs: null,
    pollIntervalMs: 1,
    ...more,
  });
  const created = { resultType: "task", ...task("working") };

  /** Answers the call with a task, and refuses the subscription to it. */
  async function create(peer: ScriptedPeer): Promise<{ call: Json; listen: Json }> {
    const call = await peer.answer("tools/call", created);
    const listen = await peer.next();
    expect(listen).toMatchObject({ method: "subscriptions/listen", params: { notifications: { taskIds: ["t"] } } });
    peer.send({ id: listen.id, error: { code: -32602, message: "no tasks here" } });
    return { call, listen };
  }
  const question = { method: "elicitation/create", params: { message: "?", requestedSchema: { type: "object", properties: {} } } };

  test("declares tasks in calls and in requests about tasks only", async () => {
    const { peer, client } = await connectStateless();
    const answer = client.call("x");
    const { call, listen } = await create(peer);
    const get = await peer.answer("tasks/get", task("completed", { result: { content: [] } }));
    expect(await answer).toEqual({ content: [] });
    for (const message of [call, listen, get])
      expect(envelopeOf(message).capabilities).toEqual({ extensions: { "io.modelcontextprotocol/tasks": {} } });
    void client.ping();
    expect(envelopeOf(await peer.answer("server/discover", {})).capabilities).toEqual({});
  });

  test("TASK-65 asks no answered question again", async () => {
    const elicit = vi.fn<() => { action: "decline" }>(() => ({ action: "decline" }));
    const { peer, client } = await connectStateless({ elicit });
    const answer = client.call("x");
    await create(peer);
    await peer.answer("tasks/get", task("input_required", { inputRequests: { a: question } }));
    const isUpdated = { value: false };
    for (let at = 0; at < 6; at++) {
      const message = await peer.next();
      if (message.method === "tasks/update") {
        isUpdated.value = true;
        expect(ownOf(message)).toEqual({ taskId: "t", inputResponses: { a: { action: "decline" } } });
        peer.send({ id: message.id, result: { resultType: "complete" } });
      } else peer.send({ id: message.id, result: task("input_required", { inputRequests: { a: question } }) });
    }
    const last = await peer.next();
    peer.send({ id: last.id, result: task("completed", { result: { content: [] } }) });
    await answer;
    expect([isUpdated.value, elicit.mock.calls.length]).toEqual([true, 1]);
  });

  test.each<[string, Json]>([
    ["an unknown status", task("paused")],
    ["a completed task without result", task("completed")],
    ["a failed task without error", task("failed", { error: {} })],
    ["an input request without method", task("input_required", { inputRequests: { a: {} } })],
  ])("rejects %s", async (_title, answer) => {
    const { peer, client } = await connectStateless();
    const failed = failure(client.call("x"));
    await create(peer);
    await peer.answer("tasks/get", answer);
    expect(await failed).toBeInstanceOf(InvalidResponseError);
  });

  test("rejects an input request that changed under its key", async () => {
    const { peer, client } = await connectStateless({ elicit: () => new Promise(() => undefined) });
    const failed = failure(client.call("x"));
    await create(peer);
    await peer.answer("tasks/get", task("input_required", { inputRequests: { a: question } }));
    const changed = { ...question, params: { ...question.params, message: "another" } };
    await peer.answer("tasks/get", task("input_required", { inputRequests: { a: changed } }));
    expect((await failed).message).toContain("input request a has changed");
  });

  test("TASK-46 rejects a task as the answer to another request", async () => {
    const { peer, client } = await connectStateless();
    const failed = failure(client.read("a://b"));
    await peer.answer("resources/read", created);
    expect(await failed).toBeInstanceOf(InvalidResponseError);
  });

  /** A server over HTTP that answers the call with a task, refuses the subscription to it, and leaves the polls to `answerPoll`. */
  const playTask = (answerPoll: NonNullable<Parameters<typeof serveStateless>[0]>): ReturnType<typeof serveStateless> =>
    serveStateless((seen, response) => {
      const { method } = seen.message;
      if (method === "tools/call") return give(seen, response, created);
      if (method === "subscriptions/listen") return refuse(seen, response, -32601);
      return method === "tasks/get" ? answerPoll(seen, response) : false;
    });

  test("survives failures of the network between polls", async () => {
    let polls = 0;
    await using played = await playTask((seen, response) => {
      polls++;
      if (polls === 1) return void response.destroy();
      if (polls === 2) return void response.writeHead(503).end();
      return give(seen, response, task("completed", { result: { content: [{ type: "text", text: "there" }] } }));
    });
    await using client = await connect({ url: played.url }, { revision: "2026-07-28" });
    expect(textOf(await client.call("x"))).toBe("there");
    expect(polls).toBe(3);
  });

  test("accepts a task that ended with its creation", async () => {
    const { peer, client } = await connectStateless();
    const answer = client.call("x");
    await peer.answer("tools/call", { resultType: "task", ...task("completed") });
    await peer.answer("tasks/get", task("completed", { result: { content: [] } }));
    expect(await answer).toEqual({ content: [] });
  });

  test("accepts a pushed state, and polls less often meanwhile", async () => {
    const { peer, client } = await connectStateless();
    const answer = client.call("x");
    await peer.answer("tools/call", { ...created, pollIntervalMs: 60_000 });
    const listen = await peer.next();
    const push = (method: string, params: Json): void => peer.send({ method, params: { ...params, ...subscriptionId(listen.id) } });
    push("notifications/subscriptions/acknowledged", { notifications: { taskIds: ["t"] } });
    push("notifications/tasks", { ...task("completed", { result: { content: [] } }), taskId: "another" });
    push("notifications/tasks", task("completed", { result: { content: [{ type: "text", text: "pushed" }] } }));
    expect(textOf(await answer)).toBe("pushed");
    expect(await peer.next()).toMatchObject({ method: "notifications/cancelled", params: { requestId: listen.id } });
  });

  test("accepts a state that is pushed during a poll", async () => {
    const { peer, client } = await connectStateless();
    const answer = client.call("x");
    await peer.answer("tools/call", { ...created, pollIntervalMs: 1 });
    const listen = await peer.next();
    const push = (method: string, params: Json): void => peer.send({ method, params: { ...params, ...subscriptionId(listen.id) } });
    const poll = await peer.next();
    expect(poll.method).toBe("tasks/get");
    push("notifications/subscriptions/acknowledged", { notifications: { taskIds: ["t"] } });
    push("notifications/tasks", task("completed", { result: { content: [{ type: "text", text: "pushed" }] } }));
    peer.send({ id: poll.id, result: { ...task("working"), pollIntervalMs: 60_000 } });
    expect(textOf(await answer)).toBe("pushed");
  });

  test("cancels a task that is resumed with an aborted signal", async () => {
    const { peer, client } = await connectStateless({}, { ...ALL, extensions: { "io.modelcontextprotocol/tasks": {} } });
    const failed = failure(client.tasks.resume("t", { signal: AbortSignal.abort(new Error("too late")) }));
    expect((await failed).message).toBe("too late");
    const methods: unknown[] = [(await peer.next()).method];
    if (methods[0] !== "tasks/cancel") methods.push((await peer.next()).method);
    expect(methods.at(-1)).toBe("tasks/cancel");
  });

  test("reports an unknown task as expired", async () => {
    const { peer, client } = await connectStateless();
    const failed = failure(client.call("x"));
    await create(peer);
    const { id } = await peer.next();
    peer.send({ id, error: { code: -32602, message: "unknown task" } });
    const error = await failed;
    expect(error).toBeInstanceOf(McpError);
    expect(error).toMatchObject({ code: -32602 });
  });
});
