// The bounds of tasks: kept ones, running ones, and those of a server that stops. What exceeds them is answered in place.
import { expect, test } from "vitest";
import { defineServer, tool, type Server } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import { changeTask, MemoryTaskStore, taskMode, tasks, type TaskRecord, type TasksOptions } from "@oarlock/extensions/tasks";
import { tasksWithin } from "../../src/tasks/tasks.ts";
import { ModernTalk } from "../../../server-kit/test/support/modern-talk.ts";
import { WITH_TASKS } from "./support/task-talk.ts";

let aborted = 0;

function server(options: TasksOptions): Server {
  return defineServer({
    name: "bounds",
    version: "1.0.0",
    limits: { callsPerSecond: 1e9 },
    tools: [
      tool({ name: "quick", extensions: [taskMode("always")], run: () => "quick" }),
      tool({ name: "required", extensions: [taskMode("required")], run: () => "required" }),
      tool({
        name: "hold",
        extensions: [taskMode("always")],
        run: (_input, { signal }) =>
          new Promise<string>((_resolve, reject) =>
            signal.addEventListener("abort", () => {
              aborted++;
              reject(signal.reason as Error);
            }),
          ),
      }),
    ],
    extensions: [tasks(options)],
  });
}

const open = (options: TasksOptions = {}): ModernTalk => new ModernTalk(server(options), { capabilities: WITH_TASKS });
const typeOf = async (client: ModernTalk, name: string): Promise<unknown> => (await client.call(name))["resultType"];

const record = (id: string, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id,
  owner: "ada",
  status: "working",
  createdAt: 1,
  updatedAt: 1,
  ttlMs: 1000,
  inputRequests: {},
  inputResponses: {},
  isCancelRequested: false,
  version: 1,
  ...more,
});

test("keeps 100 tasks, and answers a further call in place", async () => {
  const store = new MemoryTaskStore({ maxTasks: 100 });
  await using client = open({ store });
  for (let at = 0; at < 100; at += 50) {
    const types = await Promise.all(Array.from({ length: 50 }, () => typeOf(client, "quick")));
    expect(new Set(types)).toEqual(new Set(["task"]));
  }
  expect(store.size).toBe(100);
  expect(await typeOf(client, "quick")).toBe("complete");
  expect(await client.error("tools/call", { name: "required" })).toMatchObject({ code: 429 });
});

test("keeps the tasks of other owners out of the bound of one", async () => {
  const store = new MemoryTaskStore({ maxTasksPerOwner: 2 });
  const created = (id: string, owner: string) => store.create(record(id, { owner }));
  expect([await created("1", "ada"), await created("2", "ada"), await created("3", "ada")]).toEqual([true, true, false]);
  expect(await created("4", "grace")).toBe(true);
});

test("answers calls in place while the store is full of results", async () => {
  await using client = open({ store: new MemoryTaskStore({ maxResultCharacters: 10 }) });
  const { taskId } = await client.call("quick");
  await expect.poll(async () => (await client.result("tasks/get", { taskId }))["status"]).toBe("completed");
  expect(await typeOf(client, "quick")).toBe("complete");
});

test("answers calls beyond the running tasks in place, until a slot is free", async () => {
  await using client = new ModernTalk(server({}), { capabilities: WITH_TASKS, extensions: [tasksWithin(2)] });
  const running: Json[] = [await client.call("hold"), await client.call("hold")];
  expect(running.map(({ resultType }) => resultType)).toEqual(["task", "task"]);
  expect(await typeOf(client, "quick")).toBe("complete");
  await client.result("tasks/cancel", { taskId: running[0]?.["taskId"] });
  await expect.poll(() => typeOf(client, "quick")).toBe("task");
});

test("ends a task that exceeds its time with the error of a timed-out call", async () => {
  await using client = open({ maxMs: 30 });
  const { taskId } = await client.call("hold");
  const task = (): Promise<Json> => client.result("tasks/get", { taskId });
  await expect.poll(async () => (await task())["status"]).toBe("completed");
  expect(await task()).toMatchObject({ result: { isError: true, content: [{ text: "Timed out after 30 ms" }] } });
});

test("TASK-59 continues a task when the request that created it is cancelled", async () => {
  await using client = open();
  const id = client.begin("tools/call", { name: "hold", arguments: {} });
  const created = await client.until((message) => message["id"] === id);
  const { taskId } = created["result"] as Json;
  client.note("notifications/cancelled", { requestId: id });
  expect(await client.result("tasks/get", { taskId })).toMatchObject({ status: "working" });
});

test("aborts running tasks at the end of the server", async () => {
  const before = aborted;
  {
    await using client = open();
    await client.call("hold");
    await client.call("hold");
  }
  expect(aborted).toBe(before + 2);
});

test.each([-1, 0.5, Number.NaN, Infinity])("refuses the time %d", (afterMs) => {
  expect(() => tasks({ afterMs })).toThrow("Task option afterMs is invalid");
});

test("changes a task by compare-and-set, and never after its end", async () => {
  const store = new MemoryTaskStore();
  await store.create(record("t"));
  expect(await store.replace(record("t", { version: 3 }))).toBe(false);
  const both = await Promise.all(
    ["a", "b"].map((key) => changeTask(store, "t", ({ inputRequests }) => ({ inputRequests: { ...inputRequests, [key]: {} } }))),
  );
  expect(new Set(both.map((task) => task?.version))).toEqual(new Set([2, 3]));
  expect(Object.keys((await store.get("t"))?.inputRequests ?? {}).toSorted()).toEqual(["a", "b"]);
  await changeTask(store, "t", () => ({ status: "completed", expiresAt: Date.now() + 60_000 }));
  expect(await changeTask(store, "t", () => ({ status: "cancelled" }))).toMatchObject({ status: "completed", version: 4 });
  expect(await changeTask(store, "other", () => ({ status: "cancelled" }))).toBeUndefined();
  await store.close();
});
