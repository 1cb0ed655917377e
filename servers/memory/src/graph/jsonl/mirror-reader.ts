// Reads changes that other programs make to the JSONL file into the store. Three states are compared: what the file contained when it was
// last in step, what it contains now, and what the store contains now.
import { constants } from "node:fs";
import { basename } from "node:path";
import { Snapshot } from "../history/snapshot.ts";
import { openMemoryFile } from "../memory-files.ts";
import { makeBackup } from "../store/backups.ts";
import { highestIds, lastSeq } from "../store/calls.ts";
import { getMirrorState, setMirrorState, type MirrorState } from "../store/mirror-state.ts";
import type { CallHandle, Store } from "../store/store.ts";
import { runInSlices } from "../store/time-slices.ts";
import { keepDamagedLines, reportDamage, type Damage } from "./damaged-lines.ts";
import { countDifferences, findDifferences, type Differences } from "./differences.ts";
import { readFileVersion, type FileVersion } from "./file-version.ts";
import { importFile } from "./first-import.ts";
import { JsonlFile } from "./jsonl-file.ts";
import { mergeDifferences } from "./merge.ts";
import { MAX_ATTEMPTS, SETTLED_MS, type MirrorOptions } from "./mirror-options.ts";

/** A file that ends within a line may be incomplete for longer. */
const SETTLED_INCOMPLETE_MS = 1500;
/** The client that history names for changes of the file. */
const CLIENT = "file";
/** Deletions of more entities than this, or of more than half of them, may be an accident: a backup is made first. */
const MAX_DELETIONS_WITHOUT_BACKUP = 25;

/** How long another program may take from reading to writing the file: this long, and longer for a large file. */
const MIN_REWRITE_MS = 15;
const REWRITE_BYTES_PER_MS = 20_000;

/** "retry": the file or the store has changed in the meantime. "later": the file may be incomplete, so nothing was merged. */
type Outcome = "done" | "retry" | "later";

interface Compared {
  readonly state: MirrorState | undefined;
  /** The call whose state the file contained before. */
  readonly baseSeq: number;
  readonly differences: Differences;
}

export class MirrorReader {
  readonly #store: Store;
  readonly #options: MirrorOptions;

  constructor(store: Store, options: MirrorOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Whether another program has written this version of the file. */
  isForeign(version: FileVersion): boolean {
    return version.identity !== getMirrorState(this.#store)?.identity;
  }

  /** Reads the file if another program has changed it. `waitForIncomplete`: not if it may still be being written. */
  async readChanges({ waitForIncomplete }: { waitForIncomplete: boolean }): Promise<void> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const version = readFileVersion(this.#options.path);
      if (version === undefined || !this.isForeign(version)) return;
      if (waitForIncomplete && Date.now() - version.at < SETTLED_MS) return;
      if ((await this.#read(waitForIncomplete)) !== "retry") return;
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  }

  async #read(waitForIncomplete: boolean): Promise<Outcome> {
    using file = new JsonlFile(openMemoryFile(this.#options.path, constants.O_RDONLY));
    const state = getMirrorState(this.#store);
    const isFirst = state === undefined && lastSeq(this.#store) === 0;
    if (isFirst) return await this.#store.writeInSlices(CLIENT, (call) => this.#import(call, file));
    const { baseSeq, differences } = await this.#compare(file, state);
    if (!file.isUnchanged()) return "retry";
    const mayBeIncomplete = file.isOpenEnded && differences.mayBeIncomplete;
    if (waitForIncomplete && mayBeIncomplete && Date.now() - file.version.at < SETTLED_INCOMPLETE_MS) return "later";
    if (!file.hasRecords && differences.goneEntities.length + differences.goneRelations.length > 0)
      return await this.#keepStore(file, baseSeq, differences);
    this.#backUpBefore(differences);
    return await this.#store.writeInSlices(CLIENT, (call) => this.#merge(call, file, { state, baseSeq, differences }));
  }

  /** Imports the file into an empty store. "retry" if another process has written to the store first. */
  *#import(call: CallHandle, file: JsonlFile): Generator<void, Outcome> {
    if (lastSeq(this.#store) > 0) return "retry";
    const isEmpty = file.version.size === 0;
    const damages = isEmpty ? [] : yield* importFile(this.#store, call, file);
    this.#keepDamages(damages);
    // An empty file makes no call.
    this.#noteState(file, isEmpty ? 0 : call.seq(), damages.length > 0 || file.isUnusual);
    return "done";
  }

  /** Merges the changes into the store. */
  *#merge(call: CallHandle, file: JsonlFile, { state, baseSeq, differences }: Compared): Generator<void, Outcome> {
    const current = getMirrorState(this.#store);
    if (current?.identity === file.version.identity) return "done";
    if (current?.syncedSeq !== state?.syncedSeq || current?.identity !== state?.identity) return "retry";
    const hasNewerChanges = lastSeq(this.#store) > baseSeq;
    this.#keepDamages(differences.damages);
    if (countDifferences(differences) > 0) yield* mergeDifferences(this.#store, call, differences);
    // If the store has changes that the file lacks, the file matches no state of the store until it is written again.
    const isStale = hasNewerChanges || differences.damages.length > 0 || differences.lacksExtras || file.isUnusual;
    this.#noteState(file, hasNewerChanges ? baseSeq : lastSeq(this.#store), isStale);
    return "done";
  }

  /** A file without records counts as missing: a program or a full disk has emptied it, and it is written again. Nothing is deleted. */
  async #keepStore(file: JsonlFile, baseSeq: number, { damages }: Differences): Promise<Outcome> {
    await this.#store.write(undefined, () => {
      this.#keepDamages(damages);
      this.#noteState(file, baseSeq, true);
    });
    const { path, readOnly, warn } = this.#options;
    const next = readOnly ? "" : ", and is written again";
    warn(`${basename(path)} has no records: it counts as missing${next}. Nothing was deleted; to delete everything, use delete_entities.`);
    return "done";
  }

  #noteState({ version }: JsonlFile, syncedSeq: number, isStale: boolean): void {
    setMirrorState(this.#store, { ...version, syncedSeq, ids: highestIds(this.#store), previousSeq: syncedSeq, isStale });
  }

  /**
   * Compares the file with what it contained before. Another program may have edited version 1 while we wrote version 2. Compare with both;
   * fewer differences win.
   */
  async #compare(file: JsonlFile, state: MirrorState | undefined): Promise<Omit<Compared, "state">> {
    const compareWith = (seq: number): Promise<Differences> => runInSlices(findDifferences(new Snapshot(this.#store, seq), file));
    const baseSeq = state?.syncedSeq ?? 0;
    const latest = { baseSeq, differences: await compareWith(baseSeq) };
    if (state === undefined || state.previousSeq >= baseSeq) return latest;
    const maxRewriteMs = MIN_REWRITE_MS + state.size / REWRITE_BYTES_PER_MS;
    if (file.version.at - state.at > maxRewriteMs) return latest;
    const earlier = { baseSeq: state.previousSeq, differences: await compareWith(state.previousSeq) };
    return countDifferences(earlier.differences) < countDifferences(latest.differences) ? earlier : latest;
  }

  #keepDamages(damages: readonly Damage[]): void {
    if (damages.length === 0) return;
    if (!this.#options.readOnly) keepDamagedLines(this.#options.path, damages);
    this.#options.warn(reportDamage(this.#options, damages));
  }

  #backUpBefore({ goneEntities }: Differences): void {
    const gone = goneEntities.length;
    const { database, path, warn } = this.#options;
    const isLarge = gone > MAX_DELETIONS_WITHOUT_BACKUP || 2 * gone > this.#store.totals().entities;
    if (gone === 0 || !isLarge || database === ":memory:") return;
    const backup = makeBackup(database);
    warn(`${gone} entities deleted, because another program has removed them from ${basename(path)}. ${basename(backup)} still has them.`);
  }
}
