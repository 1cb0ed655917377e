// Tasks over stdio: those of 2025-11-25 and those of the extension, from the call to the result.
import { expect, test } from "vitest";
import { connect } from "../../../client/src/index.ts";
import { spawnServer } from "../../../client/src/transports/stdio/server-process.ts";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw } from "../../../testing/src/process/raw-process.ts";
import type { Json } from "@oarlock/server-kit/protocol";
import { asks } from "../../../server-kit/test/support/stateless-message.ts";
import { WITH_TASKS } from "./support/task-talk.ts";

const command = nodeCommand(new URL("fixtures/tasks-process.ts", import.meta.url), [JSON.stringify({ afterMs: 50 })]);

test("elicits for a task of 2025-11-25 on the stream of tasks/result, and returns its result", async () => {
  const elicit = (): { action: "accept"; content: Json } => ({ action: "accept", content: { word: "yes" } });
  const client = await connect(spawnServer(command), { revision: "2025-11-25", elicit });
  const { task } = await client.request("tools/call", { name: "elicit", arguments: {}, task: {} });
  expect(await client.request("tasks/result", { taskId: (task as Json)["taskId"] })).toMatchObject({ content: [{ text: "yes yes yes" }] });
  await client.close();
});

test("turns a long call into a task, whose end a subscription shows (TASK-61)", async () => {
  await using server = startRaw(command);
  const send = (id: string, method: string, params: Json): Promise<Json> =>
    server.request(asks(method, params, { id, capabilities: WITH_TASKS }));
  const { result } = await send("call", "tools/call", { name: "hold", arguments: { name: "a" } });
  const { taskId } = result as Json;
  void server.send(asks("subscriptions/listen", { notifications: { taskIds: [taskId] } }, { id: "news", capabilities: WITH_TASKS }));
  await server.until(({ method }) => method === "notifications/subscriptions/acknowledged");
  void server.send(asks("tools/call", { name: "release", arguments: { name: "a" } }, { id: "release" }));
  const { params } = await server.until(({ method }) => method === "notifications/tasks");
  expect(params).toMatchObject({ taskId, status: "completed", result: { content: [{ text: "released a" }] } });
});
