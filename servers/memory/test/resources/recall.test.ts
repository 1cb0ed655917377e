// The prompt `recall`: whether it shows all matches, a part of them, or matches of some words only.
import { expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../support/memory-fixture.ts";

const recalled = async (memory: MemoryFixture, topic: string): Promise<string> =>
  JSON.stringify((await memory.client.prompt("recall", { topic })).messages);

test("labels all matches as complete", async () => {
  await using memory = await serveMemory({ entities: [entity("a", "t", "coffee bar")] });
  const text = await recalled(memory, "coffee bar");
  expect(text).toContain("All matches in the memory follow.");
  expect(text).not.toMatch(/incomplete|some of the words|truncated/);
});

test("labels a part of the matches as incomplete, with the next step", async () => {
  await using memory = await serveMemory({ entities: Array.from({ length: 40 }, (_, at) => entity(`bar ${at}`, "t", "coffee")) });
  const text = await recalled(memory, "coffee");
  expect(text).toContain(
    "Only a part of the matches in the memory follows, the best 25 entities: this is incomplete. search_nodes finds the others.",
  );
  expect(text).toContain('\\"truncated\\":true');
});

test("labels one entity that is shown in part as incomplete", async () => {
  const facts = Array.from({ length: 3000 }, (_, at) => `coffee fact ${at} with some more words`);
  await using memory = await serveMemory({ entities: [entity("bar", "t", ...facts)] });
  expect(await recalled(memory, "coffee")).toContain("the best 1 entity: this is incomplete");
});

test("names matches of some of the words", async () => {
  await using memory = await serveMemory({ entities: [entity("a", "t", "coffee"), entity("b", "t", "bar with coffee")] });
  expect(await recalled(memory, "coffee bar")).toContain("These have some of the words only: a.");
});
