// What an observer learns of a call that becomes a task: its one end is the end of the task.
import { expect, test } from "vitest";
import { defineServer, McpError, tool, ToolError, type Observer, type RequestEnd, type Server } from "@oarlock/server-kit";
import { tasks, type TasksOptions } from "@oarlock/extensions/tasks";
import { ModernTalk } from "../../../server-kit/test/support/modern-talk.ts";
import { talk } from "../../../server-kit/test/support/talk.ts";
import { WITH_TASKS } from "./support/task-talk.ts";

/** A server whose tool `work` ends when the test settles it, or with its abort; and the ends that its observer learns of. */
function working(options: TasksOptions = {}) {
  const work = Promise.withResolvers<string>();
  const ends: RequestEnd[] = [];
  const observer: Observer = {
    requestStarted: ({ target }) => (target === "work" ? { run: (handler) => handler(), ended: (end) => void ends.push(end) } : undefined),
  };
  const run = (_input: unknown, { signal }: { signal: AbortSignal }): Promise<string> => {
    signal.addEventListener("abort", () => work.reject(signal.reason));
    return work.promise;
  };
  const server: Server = defineServer({
    name: "observed",
    version: "1.0.0",
    tools: [tool({ name: "work", run })],
    extensions: [tasks({ afterMs: 1, ...options })],
  });
  return { work, ends, observer, server };
}

type Working = ReturnType<typeof working>;

const SETTLED: readonly [title: string, settle: (work: Working["work"]) => void, end: RequestEnd][] = [
  ["its result", ({ resolve }) => resolve("worked"), { outcome: "success" }],
  ["the error of its tool", ({ reject }) => reject(new ToolError("It failed.")), { outcome: "tool-error" }],
  [
    "an error of the protocol",
    ({ reject }) => reject(new McpError(-32001, "It broke.")),
    { outcome: "error", code: -32001, message: "It broke." },
  ],
];

test.each(SETTLED)("observes the end of a call with its task: %s", async (_title, settle, end) => {
  const { work, ends, observer, server } = working();
  await using client = new ModernTalk(server, { capabilities: WITH_TASKS, observer });
  expect(await client.call("work")).toMatchObject({ resultType: "task" });
  expect(ends).toEqual([]);
  settle(work);
  await expect.poll(() => ends).toEqual([end]);
});

test.each(SETTLED)("observes the end of a 2025-11-25 call with its task: %s", async (_title, settle, end) => {
  const { work, ends, observer, server } = working();
  await using client = await talk(server, { revision: "2025-11-25", observer });
  await client.result("tools/call", { name: "work", arguments: {}, task: {} });
  expect(ends).toEqual([]);
  settle(work);
  await expect.poll(() => ends).toEqual([end]);
});

test.each(["2025-11-25", "2026-07-28"])("observes a call of %s as cancelled when the client cancels its task", async (revision) => {
  const { ends, observer, server } = working();
  const isModern = revision === "2026-07-28";
  await using client = isModern
    ? new ModernTalk(server, { capabilities: WITH_TASKS, observer })
    : await talk(server, { revision, observer });
  const created = await client.result("tools/call", { name: "work", arguments: {}, ...(!isModern && { task: {} }) });
  const { taskId } = (created["task"] ?? created) as { taskId: string };
  await client.result("tasks/cancel", { taskId });
  await expect.poll(() => ends).toEqual([{ outcome: "cancelled" }]);
});

test("observes the time limit of a task as the failure of its call", async () => {
  const { ends, observer, server } = working({ maxMs: 30 });
  await using client = new ModernTalk(server, { capabilities: WITH_TASKS, observer });
  expect(await client.call("work")).toMatchObject({ resultType: "task" });
  await expect.poll(() => ends).toEqual([{ outcome: "tool-error" }]);
});

test("observes a call as cancelled when the server stops before its task has ended", async () => {
  const { ends, observer, server } = working();
  {
    await using client = new ModernTalk(server, { capabilities: WITH_TASKS, observer });
    expect(await client.call("work")).toMatchObject({ resultType: "task" });
  }
  expect(ends).toEqual([{ outcome: "cancelled" }]);
});
