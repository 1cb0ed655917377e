// A task needs the scope of its tool: a token that only reads neither answers nor cancels what changes something.
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineServer, tool, type InteractiveContext } from "@oarlock/server-kit";
import type { Authenticator } from "@oarlock/server-kit/node";
import { taskMode, tasks } from "@oarlock/extensions/tasks";
import { HttpTalk } from "../../../server-kit/test/support/http-talk.ts";
import { eventually, request } from "../../../server-kit/test/support/sample.ts";
import { NODE, type Place } from "../../../server-kit/test/support/stateless-faces.ts";
import type { As } from "../../../server-kit/test/support/stateless-message.ts";
import { WITH_TASKS } from "./support/task-talk.ts";

/** Two tokens of one principal, and one of another. */
const auth: Authenticator = {
  check(token) {
    const scopes = token === "writes" ? ["shop:write"] : ["shop:read"];
    return { principal: token === "other" ? "grace" : "ada", scopes, claims: {} };
  },
};

const WRITES: As = { token: "writes", capabilities: WITH_TASKS };
const READS: As = { ...WRITES, token: "reads" };
const OTHER: As = { ...WRITES, token: "other" };

const run = async (_input: unknown, { elicit }: InteractiveContext): Promise<string> => {
  const answer = await elicit({ message: "Sure?", schema: z.object({ sure: z.boolean() }) });
  return answer.action;
};

const shop = () =>
  defineServer({
    name: "shop",
    version: "1.0.0",
    tools: [
      tool({ name: "change", extensions: [taskMode("always")], run }),
      tool({ name: "look", extensions: [taskMode("always")], hints: { readOnly: true }, run }),
    ],
    extensions: [tasks()],
  });

const inputResponses = { "elicit-1": { action: "accept", content: { sure: true } } };

let place: Place;
beforeEach(async () => void (place = await NODE.open(shop(), { auth })));
afterEach(() => place.stop());

/** Calls a tool; gives the id of its task once it waits for an answer. */
async function begin(name: string, as = WRITES): Promise<string> {
  const { taskId } = await place.result("tools/call", { name, arguments: {} }, as);
  await eventually(() => statusOf(String(taskId))).toBe("input_required");
  return String(taskId);
}

const statusOf = async (taskId: string): Promise<unknown> => (await place.result("tasks/get", { taskId }, READS)).status;

test.each([
  ["tasks/update", { inputResponses }],
  ["tasks/cancel", {}],
])("requires for %s of a changing tool the scope for writing", async (method, params) => {
  const taskId = await begin("change");
  const refused = await place.request(method, { taskId, ...params }, READS);
  expect([refused.status, refused.headers["www-authenticate"]]).toEqual([403, expect.stringContaining("insufficient_scope")]);
  expect(await statusOf(taskId)).toBe("input_required");
  expect(await place.result(method, { taskId, ...params }, WRITES)).toMatchObject({ resultType: "complete" });
  await eventually(() => statusOf(taskId)).toBe(method === "tasks/update" ? "completed" : "cancelled");
});

test.each([
  ["tasks/update", { inputResponses }],
  ["tasks/cancel", {}],
])("requires for %s of a reading tool no more than for its call", async (method, params) => {
  const taskId = await begin("look", READS);
  await place.result(method, { taskId, ...params }, READS);
  await eventually(() => statusOf(taskId)).toBe(method === "tasks/update" ? "completed" : "cancelled");
});

test("shows no difference between an unknown task and one of another principal", async () => {
  const taskId = await begin("change");
  for (const id of [taskId, "unknown"]) {
    const answer = await place.request("tasks/update", { taskId: id, inputResponses }, OTHER);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ error: { code: -32602, message: expect.stringContaining("unknown task") } }),
    ]);
  }
});

test("requires the scope for writing for tasks/cancel of 2025-11-25", async () => {
  const url = `http://localhost:${place.port}/mcp`;
  using talk = await HttpTalk.open(url, { revision: "2025-11-25", capabilities: { elicitation: {} }, token: "writes" });
  const { task } = (await talk.result("tools/call", { name: "change", arguments: {}, task: {} })) as { task: { taskId: string } };
  const cancel = request(7, "tasks/cancel", { taskId: task.taskId });
  expect((await talk.post(cancel, { authorization: "Bearer reads" })).status).toBe(403);
  expect(await (await talk.post(cancel)).json()).toMatchObject({ result: { status: "cancelled" } });
});
