// The requests about tasks, in memory and over HTTP: input, cancellation, expiry, foreign callers, the gate, and push.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { asks, posting } from "../../../server-kit/test/support/stateless-message.ts";
import { tasksServer } from "./fixtures/tasks-server.ts";
import { accepted, TASKS, TRANSPORTS, WITH_TASKS, type TaskTalk } from "./support/task-talk.ts";

const METHODS = ["tasks/get", "tasks/update", "tasks/cancel"];
const paramsFor = (method: string, taskId: string): Json => ({ taskId, ...(method === "tasks/update" && { inputResponses: {} }) });
const keysOf = (task: Json): string[] => (isObject(task.inputRequests) ? Object.keys(task.inputRequests) : []);
const word = (text: string): Json => ({ action: "accept", content: { word: text } });

describe.each(Object.entries(TRANSPORTS))("over %s", (_name, open) => {
  let talk: TaskTalk;
  beforeAll(async () => {
    talk = await open({ afterMs: 50 });
  });
  afterAll(() => talk[Symbol.asyncDispose]());

  const update = (taskId: string, inputResponses: Json): Promise<Json> => talk.result("tasks/update", { taskId, inputResponses });

  /** A task with two open input requests. */
  async function asking(): Promise<{ taskId: string; keys: string[] }> {
    const taskId = await talk.begin("elicit");
    let keys: string[] = [];
    await expect.poll(async () => (keys = keysOf(await talk.get(taskId))).length).toBe(2);
    return { taskId, keys };
  }

  describe("input", () => {
    test("TASK-49 TASK-50 TASK-51 is requested by keys that are never reused, and accepted one by one", async () => {
      const { taskId, keys } = await asking();
      const [first = "", second = ""] = keys;
      expect(await update(taskId, { [first]: word("one"), unknown: { ignored: true }, odd: 1 })).toEqual({
        resultType: "complete",
        _meta: expect.any(Object),
      });
      const partial = await talk.get(taskId); // at once
      expect([partial.status, keysOf(partial)]).toEqual(["input_required", [second]]);
      await update(taskId, { [first]: word("another"), [second]: word("two") });
      let third = "";
      await expect.poll(async () => (third = keysOf(await talk.get(taskId))[0] ?? "")).not.toBe("");
      expect(keys).not.toContain(third);
      await update(taskId, { [second]: word("late"), [third]: word("three") });
      expect((await talk.until(taskId, "completed")).result).toMatchObject({ content: [{ text: "one two three" }] });
      expect(keysOf(await talk.get(taskId))).toEqual([]);
    });

    test.each([
      ["no action", { content: {} }],
      ["an unknown action", { action: "maybe" }],
      ["no object", "yes"],
    ])("is refused with %s, and nothing of the update is accepted", async (_title, response) => {
      const { taskId, keys } = await asking();
      const inputResponses = { [String(keys[0])]: word("one"), [String(keys[1])]: response };
      expect(await talk.error("tasks/update", { taskId, inputResponses })).toMatchObject({ code: -32602 });
      expect(keysOf(await talk.get(taskId))).toEqual(keys);
    });

    test.each([undefined, null, [], "x"])("is refused when the responses are %j", async (inputResponses) => {
      const { taskId } = await asking();
      expect(await talk.error("tasks/update", { taskId, inputResponses })).toMatchObject({ code: -32602 });
    });

    test("is not requested when the client cannot give it", async () => {
      const taskId = await talk.begin("elicit", {}, { capabilities: { extensions: { [TASKS]: {} } } });
      expect((await talk.until(taskId, "failed")).error).toMatchObject({ code: -32021 });
    });
  });

  describe("cancellation", () => {
    test("of a task that waits for input ends it for good", async () => {
      const { taskId, keys } = await asking();
      expect(await talk.result("tasks/cancel", { taskId })).toEqual({ resultType: "complete", _meta: expect.any(Object) });
      const cancelled = await talk.until(taskId, "cancelled");
      for (const member of ["result", "error", "inputRequests"]) expect(cancelled).not.toHaveProperty(member);
      await update(taskId, { [String(keys[0])]: word("late") });
      await talk.result("tasks/cancel", { taskId });
      expect(await talk.get(taskId)).toEqual(cancelled);
    });

    test("of a task that works aborts its handler", async () => {
      const taskId = await talk.begin("hold", { name: "cancelled" });
      await talk.result("tasks/cancel", { taskId });
      expect((await talk.get(taskId)).status).toBe("cancelled");
    });

    test("of a task that completes all the same keeps its result", async () => {
      const taskId = await talk.begin("stubborn");
      await talk.result("tasks/cancel", { taskId });
      expect((await talk.until(taskId, "completed")).result).toMatchObject({ content: [{ text: "ended all the same" }] });
    });

    test("of an ended task has no effect, like an update", async () => {
      const taskId = await talk.begin("fail");
      const task = await talk.until(taskId, "completed");
      await talk.result("tasks/cancel", { taskId });
      await update(taskId, { "elicit-1": word("late") });
      expect(await talk.get(taskId)).toEqual(task);
    });
  });

  describe("requests about tasks", () => {
    test.each(METHODS)("TASK-54 are refused before the look-up for %s of a client without tasks", async (method) => {
      const known = await talk.begin("hold", { name: `gate ${method}` });
      for (const taskId of [known, "gate-test", 5]) {
        const error = await talk.error(method, { taskId }, { capabilities: { elicitation: {} } });
        expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } });
      }
    });

    test("TASK-54 refuse subscriptions/listen with taskIds of a client without tasks", async () => {
      expect(await talk.listen(["gate-test"], { capabilities: {} })).toMatchObject({ error: { code: -32021 } });
    });

    test.each(["tasks/result", "tasks/list"])("TASK-55 have no method %s", async (method) => {
      expect(await talk.error(method, { taskId: "x" })).toMatchObject({ code: -32601 });
    });

    test.each(METHODS)("TASK-52 TASK-53 refuse %s of an unknown task", async (method) => {
      expect(await talk.error(method, paramsFor(method, "unknown"))).toMatchObject({ code: -32602 });
      expect(await talk.error(method, {})).toMatchObject({ code: -32602 });
    });
  });

  describe("pushed states", () => {
    test("TASK-61 show each state of a task once, as tasks/get does", async () => {
      const taskId = await talk.begin("hold", { name: "push" });
      expect(await talk.listen([taskId, "unknown"])).toBeUndefined();
      expect(accepted(talk).at(-1)).toEqual([taskId]);
      await talk.release("push");
      await talk.until(taskId, "completed");
      const ofTask = (): Json[] => talk.heard("notifications/tasks").filter((params) => params.taskId === taskId);
      await expect.poll(() => ofTask().length).toBe(1);
      const { resultType: _type, _meta: _stamp, ...task } = await talk.get(taskId);
      expect(ofTask()[0]).toEqual({ ...task, _meta: { "io.modelcontextprotocol/subscriptionId": expect.anything() } });
    });

    test("show input requests and their outcome", async () => {
      const { taskId, keys } = await asking();
      await talk.listen([taskId]);
      const states = (): unknown[] =>
        talk
          .heard("notifications/tasks")
          .filter((params) => params.taskId === taskId)
          .map((params) => [params.status, keysOf(params).length]);
      await expect.poll(states).toEqual([["input_required", 2]]); // a late listener gets the state
      await update(taskId, { [String(keys[0])]: word("one") });
      await expect.poll(states).toEqual([
        ["input_required", 2],
        ["input_required", 1],
      ]);
      await talk.result("tasks/cancel", { taskId });
      await expect.poll(() => states().at(-1)).toEqual(["cancelled", 0]);
    });

    test.each([["x"], 5, { id: "x" }, [5]].map((value) => [value]))("are refused for %j", async (taskIds) => {
      const response = await talk.listen(taskIds);
      if (response !== undefined) expect(response).toMatchObject({ error: { code: -32602 } });
      else expect(accepted(talk).at(-1)).toBeUndefined();
    });
  });
});

test.each(Object.entries(TRANSPORTS))(
  "forgets over %s an ended task after its time to live, like one that never existed",
  async (_name, open) => {
    await using talk = await open({ afterMs: 50, ttlMs: 300 });
    const running = await talk.begin("hold", { name: "long" });
    const taskId = await talk.begin("fail");
    const { createdAt, ttlMs } = await talk.until(taskId, "completed");
    expect(Number(ttlMs)).toBeLessThan(60_000);
    await expect.poll(async () => (await talk.send("tasks/get", { taskId })).error).toBeDefined();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(createdAt)) + Number(ttlMs));
    for (const method of METHODS) {
      const unknown = await talk.error(method, paramsFor(method, "unknown"));
      expect(await talk.error(method, paramsFor(method, taskId))).toEqual(unknown);
    }
    expect(await talk.get(running)).toMatchObject({ status: "working" }); // it has not ended
  },
);

test("TASK-63 hides a task from other callers over HTTP", async () => {
  await using talk = await TRANSPORTS.http({ afterMs: 50 });
  const taskId = await talk.begin("hold", { name: "mine" }, { token: "ada" });
  for (const method of METHODS) {
    const unknown = await talk.error(method, paramsFor(method, "unknown"), { token: "eve" });
    expect(await talk.error(method, paramsFor(method, taskId), { token: "eve" })).toEqual(unknown);
  }
  await talk.listen([taskId], { token: "eve" });
  expect(accepted(talk)).toEqual([undefined]);
  expect(await talk.get(taskId, { token: "ada" })).toMatchObject({ status: "working" });
});

describe("TASK-58 requires the taskId in the header Mcp-Name over HTTP", () => {
  let http: HttpServer;
  beforeAll(async () => {
    http = await serveHttp(tasksServer({ afterMs: 50 }), { port: 0 });
  });
  afterAll(() => http.stop());

  async function send(method: string, headers: Record<string, string | undefined>): Promise<{ status: number; code: unknown }> {
    const { headers: all, body } = posting(asks(method, paramsFor(method, "a-task"), { capabilities: WITH_TASKS }), { headers });
    const given = Object.entries(all ?? {}).filter(([, value]) => value !== undefined);
    const response = await fetch(http.url, {
      method: "POST",
      headers: Object.fromEntries(given) as Record<string, string>,
      body: String(body),
    });
    const { error } = (await response.json()) as { error: Json };
    return { status: response.status, code: error.code };
  }

  test.each(METHODS)("in %s", async (method) => {
    for (const name of ["another", undefined]) expect(await send(method, { "mcp-name": name })).toEqual({ status: 400, code: -32020 });
    expect(await send(method, { "mcp-method": "tasks/other" })).toEqual({ status: 400, code: -32020 });
    expect((await send(method, {})).code).toBe(-32602); // unknown task
  });
});
