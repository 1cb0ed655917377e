// What kept tasks cost of the heap; in the long tier as many as an owner may have.
import { expect, test } from "vitest";
import { defineServer, tool } from "@oarlock/server-kit";
import { MemoryTaskStore, taskMode, tasks } from "@oarlock/extensions/tasks";
import { ModernTalk } from "../../../server-kit/test/support/modern-talk.ts";
import { retained } from "../../../server-kit/test/support/retained.ts";
import { WITH_TASKS } from "./support/task-talk.ts";

const TASKS = process.env["OARLOCK_LONG"] === "1" ? 10_000 : 2500;
const MOST_BYTES = TASKS * 2516;

test(`keeps ${TASKS} tasks within ${MOST_BYTES} bytes`, async () => {
  const store = new MemoryTaskStore({ maxTasksPerOwner: 10_000 });
  const quick = tool({ name: "quick", extensions: [taskMode("always")], run: () => "quick" });
  const limits = { callsPerSecond: 1e9 };
  const server = defineServer({ name: "bounds", version: "1.0.0", limits, tools: [quick], extensions: [tasks({ store })] });
  await using client = new ModernTalk(server, { capabilities: WITH_TASKS });
  const { heap } = await retained();
  for (let at = 0; at < TASKS; at += 50) {
    const types = await Promise.all(Array.from({ length: 50 }, async () => (await client.call("quick"))["resultType"]));
    expect(new Set(types)).toEqual(new Set(["task"]));
    client.received.length = 0;
  }
  expect(store.size).toBe(TASKS);
  expect((await retained()).heap - heap).toBeLessThan(MOST_BYTES);
});
