// The experimental tasks of 2025-11-25 in memory and over HTTP: input, progress and status reach the client that waits for the result.
import { expect, test } from "vitest";
import { connect, type Client, type ConnectOptions } from "../../../client/src/index.ts";
import { linkMemory } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import type { Json } from "@oarlock/server-kit/protocol";
import { tasksServer } from "./fixtures/tasks-server.ts";

const RELATED = "io.modelcontextprotocol/related-task";

const OPEN: Record<string, (options: ConnectOptions) => Promise<{ client: Client; stop(): Promise<void> }>> = {
  async memory(options) {
    return { client: await connect(linkMemory(tasksServer()), options), stop: async () => undefined };
  },
  async http(options) {
    const http = await serveHttp(tasksServer(), { port: 0, graceMs: 0 });
    return { client: await connect({ url: http.url }, options), stop: () => http.stop() };
  },
};

/** The messages that the server has sent on its own, by method. */
class Received {
  readonly #messages: Json[] = [];

  onWire = (direction: string, text: string): void => {
    const message = JSON.parse(text) as Json;
    if (direction === "received" && message.method !== undefined) this.#messages.push(message);
  };

  of(method: string): Json[] {
    return this.#messages.filter((message) => message.method === method).map(({ params }) => params as Json);
  }
}

async function begin(client: Client, name: string, args: Json = {}, more: Json = {}): Promise<string> {
  const { task } = await client.request("tools/call", { name, arguments: args, task: {}, ...more });
  return (task as { taskId: string }).taskId;
}

test.each(Object.entries(OPEN))("elicits over %s on the stream of tasks/result, and reports the task's status", async (_name, open) => {
  const received = new Received();
  const elicit = (): { action: "accept"; content: Json } => ({ action: "accept", content: { word: "yes" } });
  const { client, stop } = await open({ revision: "2025-11-25", onWire: received.onWire, elicit });
  const taskId = await begin(client, "elicit");
  await expect.poll(async () => (await client.request("tasks/get", { taskId })).status).toBe("input_required");
  expect(received.of("elicitation/create")).toEqual([]);
  expect(await client.request("tasks/result", { taskId })).toMatchObject({ content: [{ text: "yes yes yes" }] });
  expect(received.of("elicitation/create").map(({ _meta }) => _meta)).toEqual(Array.from({ length: 3 }, () => ({ [RELATED]: { taskId } })));
  await expect.poll(() => received.of("notifications/tasks/status").map(({ status }) => status)).toContain("completed");
  await client.close();
  await stop();
});

test.each(Object.entries(OPEN))("cancels over %s a task for good that waits for input", async (_name, open) => {
  const { client, stop } = await open({ revision: "2025-11-25", elicit: () => new Promise(() => undefined) });
  const taskId = await begin(client, "elicit");
  const result = client.request("tasks/result", { taskId }).catch((error: Error) => error.message);
  await expect.poll(async () => (await client.request("tasks/get", { taskId })).status).toBe("input_required");
  expect(await client.request("tasks/cancel", { taskId })).toMatchObject({ status: "cancelled" });
  expect(await result).toBe("The task was cancelled.");
  expect(await client.request("tasks/get", { taskId })).toMatchObject({ status: "cancelled" });
  await client.close();
  await stop();
});
