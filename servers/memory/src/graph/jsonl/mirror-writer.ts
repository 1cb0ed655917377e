// Writes the JSONL file after changes of the store: patched where little has changed, serialized again otherwise.
import { closeSync, constants, fstatSync, readFile } from "node:fs";
import { promisify } from "node:util";
import { retryWhileInUse, TimeSlice } from "@oarlock/domain-kit";
import { openMemoryFile } from "../memory-files.ts";
import { highestIds, lastSeq } from "../store/calls.ts";
import { getMirrorState, setMirrorState, type MirrorState } from "../store/mirror-state.ts";
import type { Store } from "../store/store.ts";
import { readFileVersion, toFileVersion } from "./file-version.ts";
import type { LateAppends } from "./late-appends.ts";
import { NewVersion } from "./mirror-file.ts";
import { MAX_ATTEMPTS, SETTLED_MS, type MirrorOptions } from "./mirror-options.ts";
import type { MirrorReader } from "./mirror-reader.ts";
import { patchFile } from "./patch.ts";
import { serializeGraph } from "./serializer.ts";

const SLICE_MS = 3;

const readDescriptor = promisify(readFile);

export class MirrorWriter {
  readonly #store: Store;
  readonly #options: MirrorOptions;
  readonly #reader: MirrorReader;
  readonly #lateAppends: LateAppends;

  constructor(store: Store, options: MirrorOptions, reader: MirrorReader, lateAppends: LateAppends) {
    this.#store = store;
    this.#options = options;
    this.#reader = reader;
    this.#lateAppends = lateAppends;
  }

  /** Whether the store has changes that the file lacks. */
  isBehind(): boolean {
    const state = getMirrorState(this.#store);
    if (state === undefined) return lastSeq(this.#store) > 0;
    return state.isStale || state.syncedSeq < lastSeq(this.#store);
  }

  /** Brings the file up to date, after changes of other programs have been read. */
  async write(): Promise<void> {
    if (this.#options.readOnly) return;
    const { path } = this.#options;
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      while (this.#store.largeChange !== undefined) await this.#store.largeChange;
      const version = readFileVersion(path);
      const hasSettled = version !== undefined && Date.now() - version.at >= SETTLED_MS;
      await this.#reader.readChanges({ waitForIncomplete: !hasSettled });
      if (this.#isForeign()) {
        // Another program is still writing it: wait, but not forever.
        await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
        if (left > MAX_ATTEMPTS / 2) continue;
        await this.#reader.readChanges({ waitForIncomplete: false });
      }
      if (!this.isBehind() && readFileVersion(path) !== undefined) return;
      if (await this.#replace()) return;
    }
  }

  #isForeign(): boolean {
    const version = readFileVersion(this.#options.path);
    return version !== undefined && this.#reader.isForeign(version);
  }

  /** Replaces the file. False if the store or the file has changed in the meantime. */
  async #replace(): Promise<boolean> {
    const store = this.#store;
    while (store.largeChange !== undefined) await store.largeChange;
    const state = getMirrorState(store);
    const { seq, ids } = store.read(() => ({ seq: lastSeq(store), ids: highestIds(store) }));
    if (seq === 0 && state === undefined) return true;
    const { path, calls } = this.#options;
    using written = await NewVersion.write(path, await this.#content(state, seq), calls);
    const rename = (): Promise<boolean> => store.write(undefined, () => this.#rename(written, state, { syncedSeq: seq, ids }));
    // Between two tries the transaction has ended, so that the store is free.
    return await retryWhileInUse(rename, calls?.platform);
  }

  /** Runs in a transaction, so that no other process renames at the same time. */
  #rename(newVersion: NewVersion, expected: MirrorState | undefined, next: Pick<MirrorState, "syncedSeq" | "ids">): boolean {
    const { path } = this.#options;
    const state = getMirrorState(this.#store);
    const current = readFileVersion(path);
    const isUnchanged = state?.syncedSeq === expected?.syncedSeq && state?.identity === expected?.identity;
    if (!isUnchanged || (current !== undefined && current.identity !== expected?.identity)) return false;
    const written = newVersion.version;
    if (current !== undefined) this.#lateAppends.keepOldFile();
    newVersion.takePlaceNow();
    const renamed = readFileVersion(path);
    if (renamed === undefined) return false;
    // Written by another program between rename and stat: keep our own identity, so that the next poll reads it.
    const isOurs = renamed.size === written.size && renamed.at === written.at;
    const identity = isOurs ? renamed.identity : written.identity;
    const previousSeq = expected?.syncedSeq ?? next.syncedSeq;
    setMirrorState(this.#store, { ...written, ...next, identity, previousSeq, isStale: false });
    return true;
  }

  /** The file as it was when it was last in step; undefined where it is not, or cannot be read. */
  async #knownContent({ identity }: MirrorState): Promise<Buffer | undefined> {
    try {
      const file = openMemoryFile(this.#options.path, constants.O_RDONLY);
      try {
        const isKnown = toFileVersion(fstatSync(file, { bigint: true })).identity === identity;
        return isKnown ? await readDescriptor(file) : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  async #content(state: MirrorState | undefined, seq: number): Promise<Iterable<Buffer> | AsyncIterable<string>> {
    const store = this.#store;
    if (state !== undefined && !state.isStale) {
      const file = await this.#knownContent(state);
      while (store.largeChange !== undefined) await store.largeChange;
      const patched = file === undefined ? undefined : store.read(() => patchFile(store, file, state, seq));
      if (patched !== undefined) return patched;
    }
    return serializeInSlices(store, seq);
  }
}

/** With pauses for other requests, and never while a large change is in progress. */
async function* serializeInSlices(store: Store, seq: number): AsyncGenerator<string> {
  const pieces = serializeGraph(store, seq);
  const slice = new TimeSlice(SLICE_MS);
  for (;;) {
    while (store.largeChange !== undefined) await store.largeChange;
    const piece = pieces.next();
    if (piece.done === true) return;
    yield piece.value;
    if (slice.isOver) await slice.next();
  }
}
