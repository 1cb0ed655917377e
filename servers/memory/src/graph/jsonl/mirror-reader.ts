// Reads changes that other programs make to the JSONL file into the store. Three states are compared: what the file contained when it was
// last in step, what it contains now, and what the store contains now.
import { basename } from "node:path";
import { Snapshot } from "../history/snapshot.ts";
import { totals } from "../read/totals.ts";
import { makeBackup } from "../store/backups.ts";
import { highestIds, lastSeq } from "../store/calls.ts";
import { getMirrorState, setMirrorState, type MirrorState } from "../store/mirror-state.ts";
import type { Store } from "../store/store.ts";
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

  /** Reads the file if another program has changed it. `evenIfRecent`: also if it may still be being written. */
  async readChanges(evenIfRecent: boolean): Promise<void> {
    for (let left = MAX_ATTEMPTS; left > 0; left--) {
      const version = readFileVersion(this.#options.path);
      if (version === undefined || !this.isForeign(version)) return;
      if (!evenIfRecent && Date.now() - version.at < SETTLED_MS) return;
      const file = new JsonlFile(this.#options.path);
      try {
        const state = getMirrorState(this.#store);
        const isFirst = state === undefined && lastSeq(this.#store) === 0;
        const isDone = isFirst ? await this.#import(file) : await this.#merge(file, state, evenIfRecent);
        if (isDone) return;
      } finally {
        file.close();
      }
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
    }
  }

  /** Imports the file into an empty store. False if another process has written to the store first. */
  async #import(file: JsonlFile): Promise<boolean> {
    const store = this.#store;
    const keep = (damages: readonly Damage[]): void => this.#keepDamages(damages);
    return await store.writeInSlices(CLIENT, function* (change) {
      if (lastSeq(store) > 0) return false;
      const isEmpty = file.version.size === 0;
      const damages = isEmpty ? [] : yield* importFile(store, change, file);
      keep(damages);
      // An empty file makes no call.
      const seq = isEmpty ? 0 : change.seq();
      const isStale = damages.length > 0 || file.isUnusual;
      setMirrorState(store, { ...file.version, seq, ids: highestIds(store), before: seq, isStale });
      return true;
    });
  }

  /** Merges the changes into the store. False if the file or the store has changed in the meantime. */
  async #merge(file: JsonlFile, state: MirrorState | undefined, evenIfRecent: boolean): Promise<boolean> {
    const store = this.#store;
    const { base, differences } = await this.#compare(file, state);
    if (!file.isUnchanged()) return false;
    const mayBeIncomplete = file.isOpenEnded && differences.mayBeIncomplete;
    if (!evenIfRecent && mayBeIncomplete && Date.now() - file.version.at < SETTLED_INCOMPLETE_MS) return true;
    this.#backUpBefore(differences);
    const keep = (damages: readonly Damage[]): void => this.#keepDamages(damages);
    return await store.writeInSlices(CLIENT, function* (change) {
      const current = getMirrorState(store);
      if (current?.identity === file.version.identity) return true;
      if (current?.seq !== state?.seq || current?.identity !== state?.identity) return false;
      const lastSeqBefore = lastSeq(store);
      keep(differences.damages);
      if (countDifferences(differences) > 0) yield* mergeDifferences(store, change, differences);
      // If the store has changes that the file lacks, the file matches no state of the store until it is written again.
      const hasNewerChanges = lastSeqBefore > base;
      const isStale = hasNewerChanges || differences.damages.length > 0 || differences.lacksExtras || file.isUnusual;
      const seq = hasNewerChanges ? base : lastSeq(store);
      setMirrorState(store, { ...file.version, seq, ids: highestIds(store), before: seq, isStale });
      return true;
    });
  }

  /**
   * Compares the file with what it contained before. Another program may have read the file before the last time that this server wrote
   * it, and written it afterwards; then the version before that explains its content better.
   */
  async #compare(file: JsonlFile, state: MirrorState | undefined): Promise<{ base: number; differences: Differences }> {
    const compareWith = (seq: number): Promise<Differences> => runInSlices(findDifferences(new Snapshot(this.#store, seq), file));
    const base = state?.seq ?? 0;
    const differences = await compareWith(base);
    if (state === undefined || state.before >= base) return { base, differences };
    // How long another program may take from reading to writing the file.
    const windowMs = 15 + state.size / 20_000;
    if (file.version.at - state.at > windowMs) return { base, differences };
    const earlier = await compareWith(state.before);
    return countDifferences(earlier) < countDifferences(differences) ? { base: state.before, differences: earlier } : { base, differences };
  }

  #keepDamages(damages: readonly Damage[]): void {
    if (damages.length === 0) return;
    this.#options.warn(reportDamage(this.#options, damages));
    if (!this.#options.readOnly) keepDamagedLines(this.#options.path, damages);
  }

  #backUpBefore({ goneEntities: { length: gone } }: Differences): void {
    const { database, path, warn } = this.#options;
    const isLarge = gone > MAX_DELETIONS_WITHOUT_BACKUP || 2 * gone > totals(this.#store).entities;
    if (gone === 0 || !isLarge || database === ":memory:") return;
    const backup = makeBackup(database);
    warn(`${gone} entities deleted, because another program has removed them from ${basename(path)}. ${basename(backup)} still has them.`);
  }
}
