// The experimental tasks of 2025-11-25: asked for by the client, with the shapes of that revision's schema.
import { describe, expect, test } from "vitest";
import { linkMemory, type Server } from "@oarlock/server-kit";
import { isObject, REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import type { TasksOptions } from "@oarlock/extensions/tasks";
import { ModernTalk } from "../../../server-kit/test/support/modern-talk.ts";
import { talk, type Talk, type TalkOptions } from "../../../server-kit/test/support/talk.ts";
import { tasksServer } from "./fixtures/tasks-server.ts";

const REVISION = "2025-11-25";
const RELATED = "io.modelcontextprotocol/related-task";

/** What is wrong with a message by the published schema. */
async function faults(definition: string, value: unknown): Promise<string | undefined> {
  if (process.env["MCP_SCHEMA_DIR"] === undefined) return undefined;
  const { published } = await import("../../../../tooling/spec/test/schemas.ts");
  return published(REVISION).faults(definition, value);
}

const open = (options: TasksOptions = {}, more: TalkOptions = {}): Promise<Talk> =>
  talk(tasksServer({ afterMs: 20, ...options }), { revision: REVISION, ...more });

async function begin(client: Talk, name: string, args: Json = {}, more: Json = {}): Promise<string> {
  const result = await client.result("tools/call", { name, arguments: args, task: {}, ...more });
  expect(await faults("CreateTaskResult", result)).toBeUndefined();
  return String((result.task as Json).taskId);
}

const release = (client: Talk, name: string): Promise<Json> => client.call("release", { name });

test("TASK-01 declares tasks for tool calls, and no extension", async () => {
  await using client = await open();
  expect(await faults("InitializeResult", client.greeting)).toBeUndefined();
  const capabilities = client.greeting.capabilities as Json;
  expect(capabilities.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
  expect(capabilities).not.toHaveProperty("extensions");
});

test("lists whether a tool with a mode of its own supports tasks", async () => {
  await using client = await open();
  const result = await client.result("tools/list");
  expect(await faults("ListToolsResult", result)).toBeUndefined();
  const support = Object.fromEntries(
    (result.tools as Json[]).map(({ name, execution }) => [name, (execution as Json | undefined)?.taskSupport]),
  );
  expect(support).toMatchObject({ "hold-after": "optional", elicit: "optional", "hold-required": "required" });
  expect([support["hold-never"], support["hold"]]).toEqual([undefined, undefined]);
});

test("TASK-08 TASK-09 TASK-11 TASK-15 answers a call with task by a task at once, whose result follows", async () => {
  await using client = await open();
  const created = await client.result("tools/call", { name: "quick", arguments: {}, task: { ttl: 60_000 } });
  expect(created).toEqual({
    task: {
      taskId: expect.stringMatching(/^[\w-]{32}$/),
      status: "working",
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttl: 60_000,
      pollInterval: expect.any(Number),
    },
  });
  const { taskId } = created.task as { taskId: string };
  const result = await client.result("tasks/result", { taskId });
  expect(result).toEqual({ content: [{ type: "text", text: "quick" }], _meta: { [RELATED]: { taskId } } });
  expect(await faults("GetTaskPayloadResult", result)).toBeUndefined();
  const task = await client.result("tasks/get", { taskId });
  expect(task).toMatchObject({ taskId, status: "completed" });
  expect(await faults("GetTaskResult", task)).toBeUndefined();
  const [status] = client.heard("notifications/tasks/status");
  expect(status).toMatchObject({ taskId, status: "completed" });
  expect(await faults("Task", status)).toBeUndefined();
});

test("runs a call without task as before, however long it takes", async () => {
  await using client = await open();
  const answer = client.call("hold", { name: "plain" });
  await client.result("tasks/result", { taskId: await begin(client, "quick") });
  await release(client, "plain");
  expect(await answer).toEqual({ content: [{ type: "text", text: "released plain" }] });
});

test.each([
  ["a tool that forbids tasks, with one", { name: "hold-never", arguments: { name: "x" }, task: {} }, -32601],
  ["a tool that requires tasks, without one", { name: "hold-required", arguments: { name: "x" } }, -32601],
  ["a task that is not an object", { name: "quick", task: 5 }, -32602],
  ["a ttl that is not a number", { name: "quick", task: { ttl: "long" } }, -32602],
])("TASK-05 TASK-07 refuses %s", async (_title, params, code) => {
  await using client = await open();
  expect(await client.error("tools/call", params)).toMatchObject({ code });
});

test("TASK-14 waits in tasks/result for the end", async () => {
  await using client = await open();
  const taskId = await begin(client, "hold", { name: "wait" });
  const result = client.result("tasks/result", { taskId });
  expect(await client.result("tasks/get", { taskId })).toMatchObject({ status: "working" });
  await release(client, "wait");
  expect(await result).toMatchObject({ content: [{ text: "released wait" }] });
});

test("TASK-26 fails the task on a tool error and a protocol error, and returns them as its result", async () => {
  await using client = await open();
  const failed = await begin(client, "fail");
  expect(await client.result("tasks/result", { taskId: failed })).toMatchObject({ isError: true, content: [{ text: "It failed." }] });
  expect(await client.result("tasks/get", { taskId: failed })).toMatchObject({ status: "failed" });
  const broken = await begin(client, "break");
  expect(await client.error("tasks/result", { taskId: broken })).toEqual({ code: -32001, message: "It broke.", data: { why: "old" } });
});

test("TASK-22 waits with an elicitation for tasks/result, and names its task", async () => {
  const questions: Json[] = [];
  const answers = { "elicitation/create": (params: Json) => (questions.push(params), { action: "accept", content: { word: "yes" } }) };
  await using client = await open({}, { capabilities: { elicitation: {} }, answers });
  const taskId = await begin(client, "elicit");
  await expect.poll(async () => (await client.result("tasks/get", { taskId })).status).toBe("input_required");
  expect(questions).toEqual([]);
  expect(await client.result("tasks/result", { taskId })).toMatchObject({ content: [{ text: "yes yes yes" }] });
  expect(questions.map(({ _meta }) => _meta)).toEqual(Array.from({ length: 3 }, () => ({ [RELATED]: { taskId } })));
  expect(client.heard("notifications/tasks/status").map(({ status }) => status)).toContain("input_required");
});

test("PROG-11 continues progress and names its task", async () => {
  await using client = await open();
  const taskId = await begin(client, "hold", { name: "steps" }, { _meta: { progressToken: "p" } });
  await release(client, "steps");
  await client.result("tasks/result", { taskId });
  expect(client.heard("notifications/progress")).toMatchObject([
    { progress: 1, progressToken: "p", _meta: { [RELATED]: { taskId } } },
    { progress: 2, progressToken: "p", _meta: { [RELATED]: { taskId } } },
  ]);
});

test("TASK-10 TASK-16 TASK-18 TASK-19 returns the cancelled task from tasks/cancel, once", async () => {
  await using client = await open();
  const taskId = await begin(client, "stubborn");
  const task = await client.result("tasks/cancel", { taskId });
  expect(task).toMatchObject({ taskId, status: "cancelled" });
  expect(await faults("CancelTaskResult", task)).toBeUndefined();
  expect(task).not.toHaveProperty("_meta");
  expect(await client.error("tasks/cancel", { taskId })).toMatchObject({ code: -32602 });
  expect(await client.error("tasks/result", { taskId })).toMatchObject({ message: "The task was cancelled." });
  expect(await client.result("tasks/get", { taskId })).toMatchObject({ status: "cancelled" }); // also once the handler has ended
});

test("TASK-17 TASK-21 pages through the tasks of this session by tasks/list", async () => {
  await using client = await open();
  const ids = new Set<string>();
  for (let at = 0; at < 130; at++) ids.add(await begin(client, "quick"));
  const listed: Json[] = [];
  let cursor: unknown;
  do {
    const page = await client.result("tasks/list", cursor === undefined ? {} : { cursor });
    expect(await faults("ListTasksResult", page)).toBeUndefined();
    listed.push(...(page.tasks as Json[]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(listed.map(({ taskId }) => taskId))).toEqual(ids);
  expect(listed).toHaveLength(130);
  expect(await client.error("tasks/list", { cursor: "elsewhere" })).toMatchObject({ code: -32602 });
});

test("hides a task of one era from the other", async () => {
  const wire = linkMemory(tasksServer({ afterMs: 20 }));
  const responses = new Map<unknown, (message: Json) => void>();
  wire.onText = (text) => {
    const message = JSON.parse(text) as Json;
    responses.get(message.id)?.(message);
  };
  let ids = 0;
  const send = (method: string, params: Json): Promise<Json> =>
    new Promise((resolve) => {
      responses.set(++ids, resolve);
      wire.send(JSON.stringify({ jsonrpc: "2.0", id: ids, method, params }));
    });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  await send("initialize", { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "c", version: "1" } });
  const core = await send("tools/call", { name: "quick", task: {} });
  const extension = await send("tools/call", { name: "fail", _meta });
  const idOf = ({ result }: Json): unknown => (isObject(result) ? (result.taskId ?? (result.task as Json).taskId) : undefined);
  expect(await send("tasks/get", { taskId: idOf(core), _meta })).toMatchObject({ error: { code: -32602 } });
  expect(await send("tasks/get", { taskId: idOf(extension) })).toMatchObject({ error: { code: -32602 } });
  expect(await send("tasks/get", { taskId: idOf(extension), _meta })).toMatchObject({ result: { status: "completed" } });
  await wire.close();
});

describe("keeps tasks out of other revisions", () => {
  const METHODS = ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"];
  const server = (): Server => tasksServer({ afterMs: 20 });

  test.each(REVISIONS.slice(2))("%s has no tasks", async (revision) => {
    await using client = await talk(server(), { revision });
    expect(JSON.stringify(client.greeting)).not.toContain("tasks");
    expect(JSON.stringify(await client.result("tools/list"))).not.toContain("execution");
    for (const method of METHODS) expect(await client.error(method, { taskId: "x" })).toMatchObject({ code: -32601 });
    const params = { name: "quick", arguments: {}, task: {} };
    expect(await client.result("tools/call", params)).toEqual({ content: [{ type: "text", text: "quick" }] });
  });

  test("TASK-64 2025-11-25 has no tasks/update, and ignores the extension", async () => {
    const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    await using client = await talk(server(), { revision: REVISION, capabilities });
    expect(await client.error("tasks/update", { taskId: "x" })).toMatchObject({ code: -32601 });
    const answer = client.call("hold", { name: "no leak" });
    await client.call("quick");
    await release(client, "no leak");
    expect(await answer).not.toHaveProperty("taskId");
  });

  test("TASK-40 2026-07-28 has the extension only", async () => {
    await using client = new ModernTalk(server());
    const { capabilities } = await client.result("server/discover");
    expect(capabilities).not.toHaveProperty("tasks");
    expect(JSON.stringify(await client.result("tools/list"))).not.toContain("execution");
  });
});
