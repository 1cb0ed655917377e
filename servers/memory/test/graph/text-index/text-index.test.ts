// New texts are indexed in batches: search finds a text in the same way before and after.
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { backupsOf } from "../../../src/graph/store/backups.ts";
import { entity } from "../../support/graphs.ts";
import { serveMemory, type MemoryFixture } from "../../support/memory-fixture.ts";

const WORDS = ["amber", "birch", "Köln", "東京", "fjord", "grove", "indigo", "kelp"];
const STEPS = 250;

/** Pseudo-random numbers below `below`, with a fixed sequence. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
};

/** Makes random changes to the memory and the same changes to a model. */
class Walk {
  readonly #memory: MemoryFixture;
  readonly #random: (below: number) => number;
  readonly graph = new Map<string, string[]>();
  #count = 0;

  constructor(memory: MemoryFixture, seed: number) {
    this.#memory = memory;
    this.#random = numbers(seed);
  }

  word = (): string => WORDS[this.#random(WORDS.length)]!;
  #text = (): string => `${this.word()} ${this.#count++} ${this.word()}`;
  #name = (): string => [...this.graph.keys()][this.#random(this.graph.size)]!;

  async create(): Promise<void> {
    // Sometimes a text that is too long to wait for the next batch.
    const long = this.#random(20) === 0 ? "x".repeat(1200) : "";
    const created = Array.from({ length: 1 + this.#random(6) }, () => entity(this.#text(), "t", this.#text() + long, this.#text()));
    await this.#memory.call("create_entities", { entities: created });
    for (const { name, observations } of created) this.graph.set(name, observations);
  }

  async say(): Promise<void> {
    const [entityName, content] = [this.#name(), this.#text()];
    await this.#memory.call("add_observations", { observations: [{ entityName, contents: [content] }] });
    this.graph.get(entityName)!.push(content);
  }

  async forget(purge: boolean): Promise<void> {
    const entityName = this.#name();
    const [observation, ...others] = this.graph.get(entityName)!;
    if (observation === undefined || this.#random(3) === 0) {
      await this.#memory.call("delete_entities", { entityNames: [entityName], ...(purge && { purge }) });
      this.graph.delete(entityName);
    } else {
      await this.#memory.call("delete_observations", { deletions: [{ entityName, observations: [observation] }], ...(purge && { purge }) });
      this.graph.set(entityName, others);
    }
  }

  async rename(): Promise<void> {
    const [name, newName] = [this.#name(), this.#text()];
    await this.#memory.call("update_entities", { updates: [{ name, newName }] });
    this.graph.set(newName, this.graph.get(name)!);
    this.graph.delete(name);
  }

  async step(): Promise<void> {
    const chance = this.graph.size < 5 ? 0 : this.#random(10);
    if (chance < 4) await this.create();
    else if (chance < 6) await this.say();
    else if (chance < 8) await this.rename();
    else await this.forget(this.#random(8) === 0);
  }

  holding(word: string): string[] {
    return [...this.graph].flatMap(([name, texts]) => ([name, ...texts].some((text) => text.includes(word)) ? [name] : []));
  }
}

test.each([1, 2, 3])("random walk %i: each word finds exactly the texts with it, in every state of the indexes", async (seed) => {
  await using memory = await serveMemory({ allowPurge: true });
  const walk = new Walk(memory, seed);
  for (let step = 0; step < STEPS; step++) {
    await walk.step();
    const word = walk.word();
    expect((await memory.search(word, { limit: 1000 })).sort(), `step ${step}: ${word}`).toEqual(walk.holding(word).sort());
  }
});

test("two words find a text that has both apart, indexed or waiting", async () => {
  await using memory = await serveMemory();
  const found: string[][] = [];
  for (const later of [0, 70]) {
    const others = Array.from({ length: later }, (_, at) => entity(`other ${later} ${at}`, "t"));
    await memory.call("create_entities", { entities: [entity(`both ${later}`, "t", "birch on the left, fjord on the right"), ...others] });
    found.push(await memory.search("birch fjord"));
  }
  expect(found).toEqual([["both 0"], ["both 70", "both 0"]]);
});

test("a store of the first format is upgraded after a backup, and its content can be found, changed and deleted", async () => {
  await using before = await serveMemory({
    entities: Array.from({ length: 100 }, (_, at) => entity(`old ${at}`, "t", `fact ${at} of birch`)),
  });
  const file = before.folder.at("m.db");
  await before.wired[Symbol.asyncDispose]();
  // After so many at once all are in the indexes, as they always were in that format.
  const db = new Sqlite(file);
  expect(db.prepare("SELECT * FROM indexed").all()).toEqual([{ name: 100, observation: 100 }]);
  db.exec("DROP TABLE indexed; ALTER TABLE observation DROP COLUMN confirmed; PRAGMA user_version = 1");
  db.close();

  await using after = await serveMemory({ file });
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `old ${from + at}`).reverse();
  expect(await after.search("birch", { limit: 1000 })).toEqual(names(0, 100));
  expect(backupsOf(file)).toHaveLength(1);
  await after.call("delete_entities", { entityNames: names(50, 100) });
  await after.call("create_entities", { entities: [entity("new", "t", "of birch too")] });
  expect(await after.search("birch", { limit: 1000 })).toEqual(["new", ...names(0, 50)]);
});
