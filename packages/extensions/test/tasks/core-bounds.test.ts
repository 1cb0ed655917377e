// The experimental tasks of 2025-11-25: whose they are, and their bounds.
import { connect, type Client } from "../../../client/src/index.ts";
import { describe, expect, test } from "vitest";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import type { Json } from "@oarlock/server-kit/protocol";
import type { TasksOptions } from "@oarlock/extensions/tasks";
import { tasksWithin } from "../../src/tasks/tasks.ts";
import { talk } from "../../../server-kit/test/support/talk.ts";
import { tasksServer } from "./fixtures/tasks-server.ts";

const revision = "2025-11-25";

describe("TASK-23 TASK-24 over HTTP a task is visible", () => {
  const check = async (token: string): Promise<{ principal: string; scopes: string[]; claims: Json }> => ({
    principal: token.replace(/-.*/, ""),
    scopes: ["*"],
    claims: {},
  });

  /** Whether a second session gets, lists and cancels the task of a first one. */
  async function seenBy(http: HttpServer, [first, second]: readonly [Json, Json]): Promise<unknown[]> {
    await using owner = await connect({ url: http.url, ...first }, { revision });
    await using other = await connect({ url: http.url, ...second }, { revision });
    const { task } = await owner.request("tools/call", { name: "quick", arguments: {}, task: {} });
    const { taskId } = task as { taskId: string };
    await owner.request("tasks/result", { taskId });
    const code = async (client: Client, method: string): Promise<unknown> =>
      client.request(method, { taskId }).then(
        () => "seen",
        (error: { code: number }) => error.code,
      );
    const { tasks } = (await other.request("tasks/list", {})) as { tasks: Json[] };
    return [await code(other, "tasks/get"), await code(other, "tasks/result"), tasks.some((one) => one.taskId === taskId)];
  }

  test.each<[string, boolean, readonly [Json, Json], unknown[]]>([
    ["by its principal in another session", true, [{ token: "ada-1" }, { token: "ada-2" }], ["seen", "seen", true]],
    ["by no other principal", true, [{ token: "ada-1" }, { token: "eve-1" }], [-32602, -32602, false]],
    ["by no other session without a principal", false, [{}, {}], [-32602, -32602, false]],
  ])("%s", async (_title, hasTokens, clients, seen) => {
    const http = await serveHttp(tasksServer(), { port: 0, graceMs: 0, ...(hasTokens && { auth: { check } }) });
    try {
      expect(await seenBy(http, clients)).toEqual(seen);
    } finally {
      await http.stop();
    }
  });
});

describe("TASK-25", () => {
  const open = (options: TasksOptions): ReturnType<typeof talk> => talk(tasksServer(options), { revision });

  test("limits the time to live to that of the server, and forgets an expired task (TASK-12)", async () => {
    await using client = await open({ ttlMs: 200 });
    const { task } = await client.result("tools/call", { name: "quick", arguments: {}, task: { ttl: 3_600_000 } });
    expect(task).toMatchObject({ ttl: 200 });
    const { taskId } = task as { taskId: string };
    await expect.poll(async () => client.error("tasks/get", { taskId }).catch(() => undefined)).toMatchObject({ code: -32602 });
  });

  test("refuses a call beyond the running tasks with a reason", async () => {
    await using client = await talk(tasksServer(), { revision, extensions: [tasksWithin(1)] });
    const params = { name: "hold", arguments: { name: "bound" }, task: {} };
    const { task } = await client.result("tools/call", params);
    expect(await client.error("tools/call", params)).toMatchObject({ message: expect.stringContaining("too many tasks") });
    await client.result("tasks/cancel", { taskId: (task as { taskId: string }).taskId });
    await expect.poll(async () => client.result("tools/call", params).catch(() => undefined)).toHaveProperty("task");
  });
});
