// Tags of entities, and searches limited by tags and times.
import { describe, expect, test } from "vitest";
import { serveMemory } from "../support/memory-fixture.ts";

const observed = (name: string, tags: readonly string[] = []) => ({ name, entityType: "t", observations: [`${name} is a match`], tags });

const namesIn = ({ entities }: { entities?: unknown }): string[] => (entities as { name: string }[]).map(({ name }) => name).toSorted();

describe("tags", () => {
  test("are created, added, replaced, shown, and kept", async () => {
    await using memory = await serveMemory();
    await memory.call("create_entities", { entities: [observed("a", ["#home", " home ", "two words", ""]), observed("b")] });
    await memory.call("add_observations", { observations: [{ entityName: "b", contents: ["is a match"], tags: ["work"] }] });
    const { entities } = await memory.call("open_nodes", { names: ["a", "b"] });
    expect(entities).toMatchObject([
      { name: "a", tags: ["home", "two words"] },
      { name: "b", tags: ["work"] },
    ]);
    expect(namesIn(await memory.call("search_nodes", { query: "match", tags: ["HOME"] }))).toEqual(["a"]);
    expect(namesIn(await memory.call("search_nodes", { query: "match", tags: ["home", "work"] }))).toEqual([]);
    await memory.call("update_entities", { updates: [{ name: "a", tags: ["work"] }] });
    expect(namesIn(await memory.call("search_nodes", { query: "match", tags: ["work"] }))).toEqual(["a", "b"]);
    const [block] = (await memory.client.call("read_graph", {})).content;
    expect(JSON.parse(block?.type === "text" ? block.text : "")).toMatchObject({
      entities: [
        { name: "a", tags: ["work"] },
        { name: "b", tags: ["work"] },
      ],
    });
    await memory.call("update_entities", { updates: [{ name: "a", tags: [] }] });
    expect((await memory.call("read_graph"))["entities"]).toEqual([
      expect.not.objectContaining({ tags: expect.anything() }),
      expect.anything(),
    ]);
  });
});

describe("search_nodes", () => {
  test("finds what was recorded since and before a time or a duration ago", async () => {
    await using memory = await serveMemory();
    await memory.call("create_entities", { entities: [observed("old")] });
    const { events } = await memory.call("get_history", { entityName: "old" });
    const between = new Date(Date.parse((events as { at: string }[])[0]?.at ?? "") + 1).toISOString();
    await expect.poll(() => new Date().toISOString() > between).toBe(true);
    await memory.call("create_entities", { entities: [observed("new")] });
    expect(namesIn(await memory.call("search_nodes", { query: "match", since: between }))).toEqual(["new"]);
    expect(namesIn(await memory.call("search_nodes", { query: "match", before: between }))).toEqual(["old"]);
    expect(namesIn(await memory.call("search_nodes", { query: "match", since: between, before: between }))).toEqual([]);
    expect(namesIn(await memory.call("search_nodes", { query: "match", since: "1h" }))).toEqual(["new", "old"]);
    expect(namesIn(await memory.call("search_nodes", { query: "match", before: "1d" }))).toEqual([]);
    expect(await memory.failure("search_nodes", { query: "match", before: "someday" })).toMatch(
      /^Time "someday" not understood: .* a duration such as 7d, is expected/,
    );
  });
});
