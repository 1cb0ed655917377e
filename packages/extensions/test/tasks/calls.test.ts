// Calls that become tasks, in memory and over HTTP: which do, how they end, and what their clients see.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { TASKS, TRANSPORTS, type TaskTalk } from "./support/task-talk.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ELICIT_ONLY = { elicitation: {} };

const textOf = (result: unknown): unknown => ((result as { content?: { text: string }[] }).content ?? [])[0]?.text;

describe.each(Object.entries(TRANSPORTS))("over %s", (_name, open) => {
  let talk: TaskTalk;
  beforeAll(async () => {
    talk = await open({ afterMs: 150 });
  });
  afterAll(() => talk[Symbol.asyncDispose]());

  test("TASK-43 TASK-44 TASK-47 TASK-62 turns a long call into a task, which ends with the result of the call", async () => {
    const created = await talk.call("hold", { name: "a" });
    expect(created).toMatchObject({
      resultType: "task",
      taskId: expect.stringMatching(/^[\w-]{32}$/),
      status: "working",
      createdAt: expect.stringMatching(ISO),
      lastUpdatedAt: expect.stringMatching(ISO),
      ttlMs: 300_000,
      pollIntervalMs: expect.any(Number),
    });
    for (const key of ["result", "error", "inputRequests", "requestState", "task", "ttl", "pollInterval"])
      expect(created).not.toHaveProperty(key);
    const taskId = String(created.taskId);
    expect(await talk.get(taskId)).toMatchObject({ resultType: "complete", taskId, status: "working" });
    await talk.release("a");
    const task = await talk.until(taskId, "completed");
    expect(task.result).toMatchObject({ resultType: "complete", content: [{ type: "text", text: "released a" }] });
    expect(await talk.get(taskId)).toEqual(task);
  });

  test.each(["quick", "quick-promise"])("answers %s in place when it ends in time", async (name) => {
    expect(await talk.call(name)).toMatchObject({ resultType: "complete", content: [{ text: "quick" }] });
  });

  test.each([
    ["a client without tasks", "hold", {}],
    ["a client with the capability of 2025-11-25", "hold", { tasks: { requests: { tools: { call: {} } } } }],
    ["a client that declares tasks as true", "hold", { extensions: { [TASKS]: true } }],
    ["a tool that never becomes a task", "hold-never", { extensions: { [TASKS]: {} } }],
  ])("TASK-41 gives %s the result, however long it takes", async (title, name, capabilities) => {
    const answer = talk.call(name, { name: title }, { capabilities });
    await talk.call("hold-after", { name: `${title}, meanwhile` }); // longer than the call would need to become a task
    await talk.release(title);
    expect(await answer).toMatchObject({ resultType: "complete", content: [{ text: `released ${title}` }] });
    await talk.release(`${title}, meanwhile`);
  });

  test("TASK-42 refuses a tool that requires tasks to a client without them", async () => {
    expect(
      await talk.error("tools/call", { name: "hold-required", arguments: { name: "x" } }, { capabilities: ELICIT_ONLY }),
    ).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    });
  });

  test("TASK-56 ignores params.task of 2025-11-25", async () => {
    const params = { name: "quick", arguments: {}, task: { ttl: 1000 } };
    expect(await talk.result("tools/call", params)).toMatchObject({ resultType: "complete", content: [{ text: "quick" }] });
  });

  test("TASK-48 completes the task on a tool error, and fails it on a protocol error", async () => {
    const failed = await talk.until(await talk.begin("fail"), "completed");
    expect(failed.result).toMatchObject({ isError: true, content: [{ text: "It failed." }] });
    const broken = await talk.until(await talk.begin("break"), "failed");
    expect(broken).toMatchObject({ error: { code: -32001, message: "It broke.", data: { why: "old" } }, statusMessage: "It broke." });
    expect(broken).not.toHaveProperty("result");
    const leaked = await talk.until(await talk.begin("leak"), "completed");
    expect(JSON.stringify(leaked)).not.toContain("secret");
  });

  test("TASK-66 requests input first by rounds of the request, then from the task", async () => {
    const params: Json = { name: "elicit-then-hold", arguments: { name: "r" } };
    const round = await talk.result("tools/call", params);
    expect(round).toMatchObject({ resultType: "input_required", inputRequests: { "elicit-1": { method: "elicitation/create" } } });
    expect(round).not.toHaveProperty("taskId");
    const inputResponses = { "elicit-1": { action: "accept", content: { word: "Ada" } } };
    const created = await talk.result("tools/call", { ...params, inputResponses, requestState: round.requestState });
    expect(created).toMatchObject({ resultType: "task", status: "working" });
    await talk.release("r");
    const taskId = String(created.taskId);
    const { inputRequests } = await talk.until(taskId, "input_required");
    expect(inputRequests).toMatchObject({ "elicit-2": { params: { message: "And then?" } } });
    await talk.result("tasks/update", { taskId, inputResponses: { "elicit-2": { action: "accept", content: { word: "tea" } } } });
    expect(textOf((await talk.until(taskId, "completed")).result)).toBe("Ada released r, tea");
  });

  test("TASK-60 ends progress and log with the creation of the task", async () => {
    const taskId = await talk.begin("hold", { name: "p" }, { progressToken: "p", logLevel: "debug" });
    const before = talk.heard("notifications/progress").length;
    await talk.release("p");
    await talk.until(taskId, "completed");
    expect(talk.heard("notifications/progress").slice(before)).toEqual([]);
    expect(talk.heard("notifications/message")).toEqual([]);
  });
});

test.each(Object.entries(TRANSPORTS))("keeps calls over %s 0 from becoming tasks", async (_name, open) => {
  await using talk = await open({ afterMs: 0 });
  const answer = talk.call("hold", { name: "a" });
  const other = await talk.begin("hold-after", { name: "b" }); // its own time still counts
  await talk.release("a");
  expect(await answer).toMatchObject({ resultType: "complete" });
  await talk.release("b");
  await talk.until(other, "completed");
});
