// Tasks on several nodes over one backplane: each node serves them all, and the end of a node ends its tasks.
import { expect, onTestFinished, test, vi } from "vitest";
import type { Backplane } from "../src/backplane.ts";
import { clusterWithin } from "../src/cluster.ts";
import type { Json } from "@oarlock/server-kit/protocol";
import { BackplaneLink } from "./support/backplane-link.ts";
import { HttpTalk } from "../../server-kit/test/support/http-talk.ts";
import { openWorld, QUICK } from "./support/nodes.ts";
import { eventually, request } from "../../server-kit/test/support/sample.ts";
import { NODE, type Place } from "../../server-kit/test/support/stateless-faces.ts";
import type { As } from "../../server-kit/test/support/stateless-message.ts";
import { Gates, tasksServer } from "../../extensions/test/tasks/fixtures/tasks-server.ts";
import { WITH_TASKS } from "../../extensions/test/tasks/support/task-talk.ts";

const ADA: As = { capabilities: WITH_TASKS, token: "ada" };
const GRACE: As = { ...ADA, token: "grace" };

interface TaskNode {
  readonly place: Place;
  readonly link: BackplaneLink;
}

interface TaskNodes extends AsyncDisposable {
  readonly here: TaskNode;
  readonly there: TaskNode;
}

async function openNodes({ isAnonymous = false, graceMs = 0, nodeTimes = {} } = {}): Promise<TaskNodes> {
  const connect = openWorld();
  const gates = new Gates();
  const worlds = [await connect(), await connect()] as const;
  const open = async (world: Backplane): Promise<TaskNode> => {
    const link = new BackplaneLink(world);
    const auth = { check: async (token: string) => ({ principal: token, scopes: ["*"], claims: {} }) };
    const options = {
      cluster: clusterWithin(nodeTimes, { backplane: link }),
      stateKeys: ["a key of many characters"],
      graceMs,
      ...(!isAnonymous && { auth }),
    };
    return { link, place: await NODE.open(tasksServer({ afterMs: 10 }, gates), options) };
  };
  const [here, there] = [await open(worlds[0]), await open(worlds[1])];
  return {
    here,
    there,
    async [Symbol.asyncDispose]() {
      await Promise.all([here, there].map(({ place }) => place.stop()));
      await Promise.all(worlds.map((world) => world.close()));
    },
  };
}

/** Calls a tool; gives the id of the task. */
async function begin({ place }: TaskNode, name: string, args: Json = {}): Promise<string> {
  const { resultType, taskId } = await place.result("tools/call", { name, arguments: args }, ADA);
  expect(resultType).toBe("task");
  return String(taskId);
}

const read = ({ place }: TaskNode, taskId: string, as = ADA): Promise<Json> => place.result("tasks/get", { taskId }, as);

const until = async (node: TaskNode, taskId: string, status: string): Promise<Json> => {
  let task: Json = {};
  await eventually(async () => (task = await read(node, taskId)).status).toBe(status);
  return task;
};

const accept = (word: string | undefined): Json => ({ action: "accept", content: { word } });

test("serves the state and the result of a task on another node", async () => {
  await using nodes = await openNodes();
  const { here, there } = nodes;
  const id = await begin(here, "hold", { name: "shared-1" });
  expect(await read(there, id)).toMatchObject({ taskId: id, status: "working" });
  await there.place.call("release", { name: "shared-1" }, ADA);
  const task = await until(there, id, "completed");
  expect(task).toMatchObject({ result: { content: [{ type: "text", text: "released shared-1" }] } });
  expect(await read(here, id)).toEqual(task);
  const foreign = await there.place.request("tasks/get", { taskId: id }, GRACE);
  expect(await foreign.json()).toMatchObject({ error: { code: -32602, message: expect.stringContaining("unknown task") } });
});

test("pushes the states of a task to a subscription on another node", async () => {
  await using nodes = await openNodes();
  const { here, there } = nodes;
  const id = await begin(here, "hold", { name: "shared-2" });
  const listener = await there.place.request("subscriptions/listen", { notifications: { taskIds: [id] } }, ADA);
  await listener.message();
  await here.place.call("release", { name: "shared-2" }, ADA);
  expect(await listener.message()).toMatchObject({ method: "notifications/tasks", params: { taskId: id, status: "completed" } });
  listener.drop();
});

test("brings input responses from another node to the node where the task runs", async () => {
  await using nodes = await openNodes();
  const { here, there } = nodes;
  const id = await begin(here, "elicit");
  /** By the key of the question: the first two are asked at once, and one that was just answered may be read once more. */
  const answers: Readonly<Record<string, Json>> = { "elicit-1": accept("one"), "elicit-2": accept("two"), "elicit-3": accept("three") };
  const open = new Set(Object.keys(answers));
  while (open.size > 0) {
    const { inputRequests = {} } = await until(there, id, "input_required");
    const keys = Object.keys(inputRequests as Json);
    const inputResponses = Object.fromEntries(keys.map((key) => [key, answers[key]]));
    await there.place.result("tasks/update", { taskId: id, inputResponses }, ADA);
    for (const key of keys) open.delete(key);
  }
  expect(await until(there, id, "completed")).toMatchObject({ result: { content: [{ text: "one two three" }] } });
});

test("cancels a task from another node", async () => {
  await using nodes = await openNodes();
  const { here, there } = nodes;
  const id = await begin(here, "hold", { name: "shared-3" });
  await there.place.result("tasks/cancel", { taskId: id }, ADA);
  await until(there, id, "cancelled");
});

test("marks a task as failed when its node has ended, and says to retry", async () => {
  await using nodes = await openNodes({ nodeTimes: QUICK });
  const { here, there } = nodes;
  const [id, watched] = [await begin(here, "hold", { name: "shared-4" }), await begin(here, "hold", { name: "shared-5" })];
  // The listener's node looks every five seconds whether the other one is still running.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const listener = await there.place.request("subscriptions/listen", { notifications: { taskIds: [watched] } }, ADA);
  await listener.message();
  here.link.cut();
  const failed = { status: "failed", error: { code: -32603, message: expect.stringContaining("then retry the call") } };
  expect(await until(there, id, "failed")).toMatchObject(failed);
  vi.advanceTimersByTime(5000);
  expect(await listener.message()).toMatchObject({ method: "notifications/tasks", params: { taskId: watched, ...failed } });
  listener.drop();
  here.link.heal();
  await there.place.call("release", { name: "shared-4" }, ADA);
  await here.place.call("release", { name: "shared-5" }, ADA);
  expect(await read(here, id)).toMatchObject(failed);
});

test("a node that stops awaits its tasks", async () => {
  await using nodes = await openNodes({ graceMs: 20_000 });
  const { here, there } = nodes;
  const id = await begin(here, "hold", { name: "shared-stop" });
  const stopped = here.place.stop();
  expect(await read(there, id)).toMatchObject({ status: "working" });
  await there.place.call("release", { name: "shared-stop" }, ADA);
  await stopped;
  expect(await read(there, id)).toMatchObject({ status: "completed", result: { content: [{ text: "released shared-stop" }] } });
});

test("stores the end of a task once the backplane answers again", async () => {
  await using nodes = await openNodes();
  const { here, there } = nodes;
  const id = await begin(here, "hold", { name: "shared-6" });
  here.link.cut();
  await there.place.call("release", { name: "shared-6" }, ADA);
  const answer = await here.place.request("tasks/get", { taskId: id }, ADA);
  expect(await answer.json()).toMatchObject({ error: { code: -32603, message: expect.stringContaining("Retry shortly") } });
  here.link.heal();
  expect(await until(there, id, "completed")).toMatchObject({ result: { content: [{ text: "released shared-6" }] } });
});

test("answers calls without a task while the backplane is away", async () => {
  await using nodes = await openNodes();
  const { here, there } = nodes;
  here.link.cut();
  const call = here.place.result("tools/call", { name: "hold", arguments: { name: "shared-7" } }, ADA);
  await there.place.call("release", { name: "shared-7" }, ADA);
  expect(await call).toMatchObject({ content: [{ text: "released shared-7" }] });
});

/** Sends a request of a session to a node; gives the answer. */
const post = (talk: HttpTalk, { place }: TaskNode, message: Json) => talk.send("POST", {}, message, `http://127.0.0.1:${place.port}/mcp`);

async function resultOf(talk: HttpTalk, node: TaskNode, method: string, params: Json): Promise<Json> {
  const { result } = await (await post(talk, node, request(method, method, params))).json();
  return result as Json;
}

test("serves a task of a session on another node: its list, its client requests and its result", async () => {
  await using nodes = await openNodes({ isAnonymous: true });
  const { here, there } = nodes;
  using talk = await HttpTalk.open(`http://127.0.0.1:${here.place.port}/mcp`, {
    revision: "2025-11-25",
    capabilities: { elicitation: {} },
  });
  const { task } = await resultOf(talk, here, "tools/call", { name: "elicit", arguments: {}, task: {} });
  const { taskId } = task as Json;
  expect(await resultOf(talk, there, "tasks/list", {})).toMatchObject({ tasks: [{ taskId }] });
  const stream = await post(talk, there, request("result", "tasks/result", { taskId }));
  // The first two questions are asked at once, so they come in any order.
  const words: Readonly<Record<string, string>> = { "First?": "one", "Second?": "two", "Third?": "three" };
  for (let count = 0; count < 3; count++) {
    const { id, method, params } = await stream.message();
    expect(method).toBe("elicitation/create");
    const response = { jsonrpc: "2.0", id, result: accept(words[String((params as Json)["message"])]) };
    expect((await post(talk, there, response)).status).toBe(202);
  }
  expect(await stream.message()).toMatchObject({ id: "result", result: { content: [{ text: "one two three" }] } });
  expect(await resultOf(talk, here, "tasks/get", { taskId })).toMatchObject({ status: "completed" });
});

test("cancels a task of a session from another node", async () => {
  await using nodes = await openNodes({ isAnonymous: true });
  const { here, there } = nodes;
  using talk = await HttpTalk.open(`http://127.0.0.1:${here.place.port}/mcp`, { revision: "2025-11-25" });
  const { task } = await resultOf(talk, here, "tools/call", { name: "hold", arguments: { name: "shared-8" }, task: {} });
  const { taskId } = task as Json;
  expect(await resultOf(talk, there, "tasks/cancel", { taskId })).toMatchObject({ status: "cancelled" });
  expect(await resultOf(talk, here, "tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
});
