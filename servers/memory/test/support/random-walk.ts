// Random changes of a memory, and the same changes of a model: each word finds exactly the texts with it.
import { expect } from "vitest";
import { entity } from "./graphs.ts";
import { serveMemory, type MemoryFixture } from "./memory-fixture.ts";

const WORDS = ["amber", "birch", "Köln", "東京", "fjord", "grove", "indigo", "kelp"];

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

  async deleteOrPurge(purge: boolean): Promise<void> {
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
    else await this.deleteOrPurge(this.#random(8) === 0);
  }

  holding(word: string): string[] {
    return [...this.graph].flatMap(([name, texts]) => ([name, ...texts].some((text) => text.includes(word)) ? [name] : []));
  }
}

/** Makes random changes and searches after each. */
export async function walkAtRandom(seed: number, steps: number): Promise<void> {
  await using memory = await serveMemory({ allowPurge: true });
  const walk = new Walk(memory, seed);
  for (let step = 0; step < steps; step++) {
    await walk.step();
    const word = walk.word();
    expect((await memory.search(word, { limit: 1000, max_tokens: 20_000 })).sort(), `step ${step}: ${word}`).toEqual(
      walk.holding(word).sort(),
    );
  }
}
