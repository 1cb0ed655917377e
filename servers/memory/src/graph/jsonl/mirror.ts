// The JSONL file beside the store, kept as what the store says: written after changes here, and read after changes by others. Three
// states are compared for that: what the file showed when it was last in step, what it says now, and what the store says now.
import fs from "node:fs";
import { basename } from "node:path";
import { backUp } from "../store/backups.ts";
import { codeOf } from "../errors.ts";
import { totals } from "../read/graph-page.ts";
import { inSlices } from "../store/time-slices.ts";
import type { Store } from "../store/store.ts";
import { apply } from "./merge.ts";
import { compare, countOf, type Differences } from "./differences.ts";
import { reportOf, setAside } from "./damaged-lines.ts";
import { JsonlFile, lookAt, type Seen } from "./jsonl-file.ts";
import { LeftBehind } from "./late-appends.ts";
import { Past } from "../history/snapshot.ts";
import { anew, patched } from "./serializer.ts";
import { lastIds, lastSeq, setShown, shown, type Shown } from "./mirror-state.ts";
import { takeIn } from "./first-import.ts";
import { clearTemporaries, writeTemporary } from "./temporary-file.ts";

/** Others are looked for this often, in milliseconds. */
const LOOK_EVERY = 700;
/** Changes are gathered for this long before they are written; for large files longer. */
const GATHER = 150;
const GATHER_LARGE = 1200;
const LARGE = 4 * 1024 * 1024;
/** A file that was written this recently may be in the middle of it; one that ends within a line, longer. */
const SETTLED = 250;
const SETTLED_TORN = 1500;
/** What another process on the store has changed, it writes; after this long somebody else does. */
const LEFT_TO_OTHERS = 2000;
const ATTEMPTS = 20;

export interface MirrorOptions {
  readonly path: string;
  /** The store's own file, of which a copy is made before a large deletion. */
  readonly database: string;
  /** The file is only read. */
  readonly readOnly: boolean;
  readonly warn: (message: string) => void;
}

/** Who is named in history for what came through the file. */
const CLIENT = "file";

export class Mirror {
  readonly #store: Store;
  readonly #options: MirrorOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks: ReturnType<typeof setInterval> | undefined;
  /** One thing is done to the file at a time. */
  #work: Promise<void> = Promise.resolve();
  #pending: Promise<void> | undefined;
  #behindSince: number | undefined;
  #told: string | undefined;
  #stop: (() => void) | undefined;
  readonly #leftBehind: LeftBehind;

  constructor(store: Store, options: MirrorOptions) {
    this.#store = store;
    this.#options = options;
    this.#leftBehind = new LeftBehind(options.path);
  }

  /** Takes in what the file has, and follows it from then on. */
  async start(): Promise<void> {
    const { path, readOnly, warn } = this.#options;
    const foreign = readOnly ? [] : clearTemporaries(path);
    if (foreign.length > 0)
      warn(`Left alone beside ${basename(path)}: ${foreign.slice(0, 3).join(", ")}, temporary files of another program`);
    await this.#takeChanges(true);
    this.#stop = this.#store.onChange(() => this.#soon());
    this.#looks = setInterval(() => this.#lookAround(), LOOK_EVERY);
    this.#looks.unref();
    if (this.#isBehind()) this.#soon();
  }

  /** Before a call: what others have written by now counts. A promise where that is something. */
  glance(): Promise<void> | undefined {
    const seen = this.#seen();
    if (seen === undefined || !this.#isForeign(seen) || Date.now() - seen.at < SETTLED) return undefined;
    const pending = this.#take();
    // Nobody waits for what takes long.
    return seen.size < LARGE ? pending : undefined;
  }

  #seen(): Seen | undefined {
    try {
      return lookAt(this.#options.path);
    } catch {
      return undefined;
    }
  }

  #isForeign(seen: Seen): boolean {
    return seen.identity !== shown(this.#store)?.identity;
  }

  #take(): Promise<void> {
    this.#pending ??= this.#queue(() => this.#takeChanges(false)).finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Whether the store says more than the file. */
  #isBehind(): boolean {
    const state = shown(this.#store);
    if (state === undefined) return lastSeq(this.#store) > 0;
    return state.isStale || state.seq < lastSeq(this.#store);
  }

  /** A store that cannot be read is said once, and must not end the server. */
  #lookAround(): void {
    try {
      this.#look();
    } catch (error) {
      this.#tell(error);
    }
  }

  #look(): void {
    if (this.#store.busy !== undefined || this.#pending !== undefined) return;
    this.#leftBehind.bringOver();
    const seen = this.#seen();
    const isMissing = seen === undefined && shown(this.#store) !== undefined;
    if (seen !== undefined && this.#isForeign(seen)) void this.#take();
    if (!isMissing && !this.#isBehind()) {
      this.#behindSince = undefined;
      return;
    }
    this.#behindSince ??= performance.now();
    if (performance.now() - this.#behindSince > LEFT_TO_OTHERS) this.#soon();
  }

  #soon(): void {
    if (this.#timer !== undefined || this.#options.readOnly) return;
    const isLarge = (shown(this.#store)?.size ?? 0) > LARGE;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#queue(() => this.#write());
      },
      isLarge ? GATHER_LARGE : GATHER,
    );
    this.#timer.unref();
  }

  /** Brings the file in step, now. */
  async flush(): Promise<void> {
    await this.#queue(() => this.#write());
  }

  async close(): Promise<void> {
    this.#stop?.();
    clearInterval(this.#looks);
    clearTimeout(this.#timer);
    this.#leftBehind.bringOver();
    if (!this.#options.readOnly) await this.flush();
    else await this.#work;
  }

  /** After what is being done; what fails is told once and tried again with the next look. */
  #queue(act: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(act).then(
      () => (this.#told = undefined),
      (error: unknown) => this.#tell(error),
    );
    return this.#work;
  }

  #tell(error: unknown): undefined {
    const code = codeOf(error);
    const why = error instanceof Error ? error.message : String(error);
    const message = `${basename(this.#options.path)} is not in step with the memory${code === "" ? "" : ` (${code})`}: ${why.replace(/\.$/, "")}. The memory itself is kept; this is tried again.`;
    if (message !== this.#told) this.#options.warn(message);
    this.#told = message;
    return undefined;
  }

  /** What another program has written. `atOnce`: also where it may still be writing. */
  async #takeChanges(atOnce: boolean): Promise<void> {
    for (let left = ATTEMPTS; left > 0; left--) {
      const seen = lookAt(this.#options.path);
      if (seen === undefined || !this.#isForeign(seen)) return;
      if (!atOnce && Date.now() - seen.at < SETTLED) return;
      const file = new JsonlFile(this.#options.path);
      try {
        const state = shown(this.#store);
        const isFirst = state === undefined && lastSeq(this.#store) === 0;
        if (isFirst ? await this.#import(file) : await this.#merge(file, state, atOnce)) return;
      } finally {
        file.close();
      }
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  }

  /** False where another process was first. */
  async #import(file: JsonlFile): Promise<boolean> {
    const store = this.#store;
    const options = this.#options;
    return await store.writeInSlices(CLIENT, function* (change) {
      if (lastSeq(store) > 0) return false;
      const isEmpty = file.seen.size === 0;
      const damages = isEmpty ? [] : yield* takeIn(store, change, file);
      if (damages.length > 0) {
        options.warn(reportOf(options, damages));
        if (!options.readOnly) setAside(options.path, damages);
      }
      const { identity, at, size } = file.seen;
      // Nothing came of it: no call is to be remembered.
      const seq = isEmpty ? 0 : change.seq();
      setShown(store, { seq, identity, at, size, ids: lastIds(store), before: seq, isStale: damages.length > 0 || file.isUnusual });
      return true;
    });
  }

  /** False where it must be done again. */
  async #merge(file: JsonlFile, state: Shown | undefined, atOnce: boolean): Promise<boolean> {
    const store = this.#store;
    const options = this.#options;
    const { base, differences } = await this.#compare(file, state);
    if (!file.isUnchanged()) return false;
    // Perhaps the rest of its last line is still to come.
    const isTorn = file.isOpenEnded && differences.damages.some(({ why }) => why.startsWith("it is no"));
    if (!atOnce && isTorn && Date.now() - file.seen.at < SETTLED_TORN) return true;
    if (isLargeDeletion(store, differences)) this.#backUp(differences.goneEntities.length);
    return await store.writeInSlices(CLIENT, function* (change) {
      const now = shown(store);
      if (now?.identity === file.seen.identity) return true;
      if (now?.seq !== state?.seq || now?.identity !== state?.identity) return false;
      const before = lastSeq(store);
      if (differences.damages.length > 0) {
        options.warn(reportOf(options, differences.damages));
        if (!options.readOnly) setAside(options.path, differences.damages);
      }
      if (countOf(differences) > 0) yield* apply(store, change, differences);
      const { identity, at, size } = file.seen;
      // Where the store had more to say, what the file shows is no state of the store until it is written anew.
      const isStale = before > base || differences.damages.length > 0 || differences.lacks || file.isUnusual;
      const seq = before > base ? base : lastSeq(store);
      setShown(store, { seq, identity, at, size, ids: lastIds(store), before: seq, isStale });
      return true;
    });
  }

  #backUp(gone: number): void {
    const { database, path, warn } = this.#options;
    if (database === ":memory:") return;
    const copy = backUp(database);
    warn(`${basename(path)} has ${gone} entities less than before: they are deleted, and ${basename(copy)} has them still`);
  }

  /**
   * A program that had read the file before our last writing, and wrote after it, knows nothing of what we wrote: its file is judged
   * by the one before, where that explains it better and there was no time for more than that.
   */
  async #compare(file: JsonlFile, state: Shown | undefined): Promise<{ base: number; differences: Differences }> {
    const against = async (seq: number): Promise<Differences> => await inSlices(compare(new Past(this.#store, seq), file));
    const base = state?.seq ?? 0;
    const differences = await against(base);
    if (state === undefined || state.before >= base) return { base, differences };
    const reach = 15 + state.size / 20_000;
    if (file.seen.at - state.at > reach) return { base, differences };
    const earlier = await against(state.before);
    return countOf(earlier) < countOf(differences) ? { base: state.before, differences: earlier } : { base, differences };
  }

  async #write(): Promise<void> {
    if (this.#options.readOnly) return;
    for (let left = ATTEMPTS; left > 0; left--) {
      while (this.#store.busy !== undefined) await this.#store.busy;
      const seen = lookAt(this.#options.path);
      if (seen !== undefined && this.#isForeign(seen)) {
        await this.#takeChanges(Date.now() - seen.at >= SETTLED);
        const again = lookAt(this.#options.path);
        // Still being written: it is waited for, but not for ever.
        if (again !== undefined && this.#isForeign(again)) {
          await new Promise((resolve) => setTimeout(resolve, SETTLED));
          if (left > ATTEMPTS / 2) continue;
          await this.#takeChanges(true);
        }
      }
      if (!this.#isBehind() && lookAt(this.#options.path) !== undefined) return;
      if (await this.#replace()) return;
    }
  }

  /** False where something came between. */
  async #replace(): Promise<boolean> {
    const store = this.#store;
    const { path } = this.#options;
    // A loop, here and elsewhere: another one who waited may have taken the store already. What he has not finished is not to be seen.
    while (store.busy !== undefined) await store.busy;
    const state = shown(store);
    const { seq, ids } = store.read(() => ({ seq: lastSeq(store), ids: lastIds(store) }));
    if (seq === 0 && state === undefined) return true;
    const made = await writeTemporary(path, await this.#pieces(state, seq));
    const renamed = await store.write(undefined, () => {
      const now = shown(store);
      const current = lookAt(path);
      const isOurs = now?.seq === state?.seq && now?.identity === state?.identity;
      if (!isOurs || (current !== undefined && current.identity !== state?.identity)) return false;
      const ours = lookAt(made);
      if (current !== undefined) this.#leftBehind.hold();
      fs.renameSync(made, path);
      const seen = lookAt(path);
      if (seen === undefined || ours === undefined) return false;
      // Whoever wrote to it in this very moment is not to be taken for us: then no file is as it is told here.
      const identity = seen.size === ours.size && seen.at === ours.at ? seen.identity : ours.identity;
      setShown(store, { ...ours, identity, seq, ids, before: state?.seq ?? seq, isStale: false });
      return true;
    });
    if (!renamed) await fs.promises.rm(made, { force: true });
    return renamed;
  }

  async #pieces(state: Shown | undefined, seq: number): Promise<Iterable<string | Buffer> | AsyncIterable<string | Buffer>> {
    const store = this.#store;
    if (state !== undefined && !state.isStale) {
      const file = await fs.promises.readFile(this.#options.path).catch(() => undefined);
      while (store.busy !== undefined) await store.busy;
      const pieces = file === undefined ? undefined : store.read(() => patched(store, file, state, seq));
      if (pieces !== undefined) return pieces;
    }
    return sliced(store, seq);
  }
}

/** Written anew, with pauses for others. */
async function* sliced(store: Store, seq: number): AsyncGenerator<string> {
  const pieces = anew(store, seq);
  let since = performance.now();
  for (;;) {
    while (store.busy !== undefined) await store.busy;
    const next = pieces.next();
    if (next.done === true) return;
    yield next.value;
    if (performance.now() - since < 3) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}

/** By accident, or by a program that failed, a whole graph can be gone. */
const MANY = 25;

function isLargeDeletion(store: Store, { goneEntities }: Differences): boolean {
  return goneEntities.length > 0 && (goneEntities.length > MANY || 2 * goneEntities.length > totals(store).entities);
}
