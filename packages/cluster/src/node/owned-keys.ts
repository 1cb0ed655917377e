// OwnedKeys: which records belong to an owner, so that what one has on all nodes can be counted.
import { HttpError } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";

/** A list lives this long after its last change. */
const LIST_MS = 24 * 60 * 60 * 1000;
/** From this many on, the records that should have ended are looked for: at most once in this time, for each owner. */
const LOOK_FROM = 10;
const LOOK_EVERY_MS = 10_000;
/** Younger ones are not looked for: a key is counted before its record is stored. */
const YOUNG_MS = 60_000;
const READS = 50;
/** Of a change that other nodes overtake, with a wait of up to this time in between. */
const MAX_TRIES = 50;
const MAX_WAIT_MS = 20;
/** Owners that a node remembers to have looked for. */
const MAX_OWNERS = 10_000;

/** `addedAt`: by Date.now(). */
type OwnedKey = readonly [key: string, addedAt: number];

/** Owners are digests, as the name of one may be that of a person. */
export class OwnedKeys {
  readonly #backplane: Backplane;
  readonly #prefix: string;
  readonly #lookedAt = new Map<string, number>();
  /** The last change of each list by this node, while it lasts. */
  readonly #changes = new Map<string, Promise<number>>();

  /** `prefix`: of the names of the lists. */
  constructor(backplane: Backplane, prefix: string) {
    this.#backplane = backplane;
    this.#prefix = prefix;
  }

  /** How many an owner has. */
  async count(owner: string): Promise<number> {
    const list = `${this.#prefix}:${owner}`;
    const { keys } = await this.#read(list);
    if (keys.length < LOOK_FROM || performance.now() - (this.#lookedAt.get(list) ?? -Infinity) < LOOK_EVERY_MS) return keys.length;
    if (this.#lookedAt.size >= MAX_OWNERS) this.#lookedAt.clear();
    this.#lookedAt.set(list, performance.now());
    const gone = await this.#goneOf(keys);
    if (gone.size > 0) await this.#change(list, (now) => now.filter(([key]) => !gone.has(key)));
    return keys.length - gone.size;
  }

  /** Returns how many the owner had before: another number for each of several calls at the same time, on whichever nodes. */
  add(owner: string, key: string): Promise<number> {
    return this.#change(`${this.#prefix}:${owner}`, (keys) => [...keys, [key, Date.now()]]);
  }

  async remove(owner: string, key: string): Promise<void> {
    await this.#change(`${this.#prefix}:${owner}`, (keys) => keys.filter(([one]) => one !== key));
  }

  async #goneOf(keys: readonly OwnedKey[]): Promise<Set<string>> {
    const gone = new Set<string>();
    const old = keys.filter(([, addedAt]) => Date.now() - addedAt > YOUNG_MS).map(([key]) => key);
    for (let at = 0; at < old.length; at += READS) {
      const part = old.slice(at, at + READS);
      const found = await Promise.all(part.map((key) => this.#backplane.get(key)));
      part.forEach((key, index) => found[index] === undefined && gone.add(key));
    }
    return gone;
  }

  async #read(list: string): Promise<{ keys: OwnedKey[]; version: number | undefined }> {
    const record = await this.#backplane.get(list);
    return { keys: record === undefined ? [] : (JSON.parse(record.text) as OwnedKey[]), version: record?.version }; // written by #store
  }

  /**
   * Changes of one list follow each other on a node, so that only other nodes can overtake one. One that the engine fails takes those along
   * that wait for it. Returns the number of keys before.
   */
  async #change(list: string, change: (keys: OwnedKey[]) => OwnedKey[]): Promise<number> {
    const before = this.#changes.get(list);
    const running = before === undefined ? this.#store(list, change) : before.then(() => this.#store(list, change));
    this.#changes.set(list, running);
    try {
      return await running;
    } finally {
      if (this.#changes.get(list) === running) this.#changes.delete(list);
    }
  }

  async #store(list: string, change: (keys: OwnedKey[]) => OwnedKey[]): Promise<number> {
    for (let tries = MAX_TRIES; tries > 0; tries--) {
      const { keys, version } = await this.#read(list);
      const changed = change(keys);
      if (changed.length === keys.length) return keys.length;
      const options = { ttlMs: LIST_MS, when: version ?? ("absent" as const) };
      if ((await this.#backplane.put(list, JSON.stringify(changed), options)) !== undefined) return keys.length;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_WAIT_MS));
    }
    throw new HttpError(503, "Server busy: one caller begins too much at the same time. Retry shortly.", { headers: ["Retry-After", "1"] });
  }
}
