// OwnedKeys: which records belong to an owner, so that what one has on all nodes can be counted.
import type { Backplane } from "../backplane/backplane.ts";

/** A list lives this long after its last change. */
const LIST_MS = 24 * 60 * 60 * 1000;
/** From this many on, the records that should have ended are looked for: at most once in this time, for each owner. */
const LOOK_FROM = 10;
const LOOK_EVERY_MS = 10_000;
const READS = 50;
/** Of a change that others overtake. */
const MAX_TRIES = 10;
/** Owners that a node remembers to have looked for. */
const MAX_OWNERS = 10_000;

/** Owners are digests, as the name of one may be that of a person. */
export class OwnedKeys {
  readonly #backplane: Backplane;
  readonly #prefix: string;
  readonly #lookedAt = new Map<string, number>();

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
    return (await this.#change(list, (now) => now.filter((key) => !gone.has(key)))).length;
  }

  async add(owner: string, key: string): Promise<void> {
    await this.#change(`${this.#prefix}:${owner}`, (keys) => [...keys, key]);
  }

  async remove(owner: string, key: string): Promise<void> {
    await this.#change(`${this.#prefix}:${owner}`, (keys) => keys.filter((one) => one !== key));
  }

  async #goneOf(keys: readonly string[]): Promise<Set<string>> {
    const gone = new Set<string>();
    for (let at = 0; at < keys.length; at += READS) {
      const part = keys.slice(at, at + READS);
      const found = await Promise.all(part.map((key) => this.#backplane.get(key)));
      part.forEach((key, index) => found[index] === undefined && gone.add(key));
    }
    return gone;
  }

  async #read(list: string): Promise<{ keys: string[]; version: number | undefined }> {
    const record = await this.#backplane.get(list);
    return { keys: record === undefined ? [] : (JSON.parse(record.text) as string[]), version: record?.version }; // written by #change
  }

  /** Again where another request was faster. Where many change one list at once, some are not counted, instead of waiting in line. */
  async #change(list: string, change: (keys: string[]) => string[]): Promise<string[]> {
    for (let tries = MAX_TRIES; ; tries--) {
      const { keys, version } = await this.#read(list);
      const changed = change(keys);
      if (changed.length === keys.length || tries === 0) return keys;
      const options = { ttlMs: LIST_MS, when: version ?? ("absent" as const) };
      if ((await this.#backplane.put(list, JSON.stringify(changed), options)) !== undefined) return changed;
    }
  }
}
