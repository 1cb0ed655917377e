// An import of many entities as a task.
import { existsSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect } from "vitest";
import { testTasks, type TaskWorld } from "../../../packages/client/test/support/server-tasks.ts";
import { bin } from "./support/targets.ts";

const ENTITIES = 3000;

async function open(): Promise<TaskWorld> {
  const folder = tempFolder();
  const command = bin([`--db=${folder.at("memory.db")}`]);
  const entities = Array.from({ length: ENTITIES }, (_value, at) => ({
    name: `person ${at}`,
    entityType: "person",
    observations: [`likes the number ${at}`, `lives in house ${at % 97}`],
  }));
  return {
    command,
    tool: "create_entities",
    args: { entities },
    folder: folder.path,
    async checkData() {
      await using connection = await connectTo(command);
      const { structuredContent } = await connection.client.call("graph_stats");
      expect([0, ENTITIES]).toContain((structuredContent as { entities: number }).entities);
      expect((await connection.client.call("create_entities", { entities: entities.slice(0, 1) })).isError).toBeUndefined();
      expect(existsSync(folder.at("memory.db"))).toBe(true);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

testTasks("an import of 3,000 entities", open);
