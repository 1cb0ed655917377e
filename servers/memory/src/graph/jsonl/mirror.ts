// The JSONL mirror: keeps a JSONL file and the store in step. It decides when the file is read and written; mirror-reader.ts and
// mirror-writer.ts decide how.
import { basename } from "node:path";
import { systemErrorCode } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { statOrUndefined } from "../memory-files.ts";
import { getMirrorState } from "../store/mirror-state.ts";
import type { Store } from "../store/store.ts";
import { toFileVersion, type FileVersion } from "./file-version.ts";
import { LateAppends } from "./late-appends.ts";
import { LARGE_FILE_BYTES, SETTLED_MS, type MirrorOptions } from "./mirror-options.ts";
import { MirrorReader } from "./mirror-reader.ts";
import { MirrorWriter } from "./mirror-writer.ts";
import { removeTemporaryFiles } from "./mirror-file.ts";

const POLL_MS = 700;
/** Changes are collected for this long before the file is written. */
const WRITE_DELAY_MS = 150;
const LARGE_FILE_WRITE_DELAY_MS = 1200;
/** Each process writes the file after its own changes. If the file is behind for this long, any process writes it. */
const TAKE_OVER_MS = 2000;
const MAX_LISTED_FILES = 3;

export class Mirror {
  readonly #store: Store;
  readonly #options: MirrorOptions;
  readonly #lateAppends: LateAppends;
  readonly #reader: MirrorReader;
  readonly #writer: MirrorWriter;
  #writeTimer: ReturnType<typeof setTimeout> | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #stopListening: (() => void) | undefined;
  /** Settles when all queued work on the file is done. */
  #queue: Promise<void> = Promise.resolve();
  #reading: Promise<void> | undefined;
  #behindSince: number | undefined;
  #lastWarning: string | undefined;

  constructor(store: Store, options: MirrorOptions) {
    this.#store = store;
    this.#options = options;
    this.#lateAppends = new LateAppends(options.path);
    this.#reader = new MirrorReader(store, options);
    this.#writer = new MirrorWriter(store, options, this.#reader, this.#lateAppends);
  }

  /** Reads the file and follows it from then on. */
  async start(): Promise<void> {
    const { path, readOnly, warn } = this.#options;
    const foreign = readOnly ? [] : removeTemporaryFiles(path);
    if (foreign.length > 0)
      warn(`Temporary files of another program beside ${basename(path)} not removed: ${foreign.slice(0, MAX_LISTED_FILES).join(", ")}`);
    await this.#reader.readChanges({ waitForIncomplete: false });
    this.#stopListening = this.#store.onChange(() => this.#writeSoon());
    this.#poll = setInterval(() => this.#pollFile(), POLL_MS).unref();
    if (this.#writer.isBehind()) this.#writeSoon();
  }

  /** Reads what other programs have written by now. Does not wait for a large file, nor for one that is still being written. */
  async refresh(): Promise<void> {
    const version = this.#currentVersion();
    if (version === undefined || !this.#reader.isForeign(version) || Date.now() - version.at < SETTLED_MS) return;
    const reading = this.#read();
    if (version.size < LARGE_FILE_BYTES) await reading;
  }

  /** Brings the file up to date at once. */
  async flush(): Promise<void> {
    await this.#enqueue(() => this.#writer.write());
  }

  async close(): Promise<void> {
    this.#stopListening?.();
    clearInterval(this.#poll);
    clearTimeout(this.#writeTimer);
    try {
      this.#lateAppends.recover();
    } catch (error) {
      this.#warnOnce(error);
    }
    if (this.#options.readOnly) await this.#queue;
    else await this.flush();
  }

  /** Undefined where the file is missing or cannot be read. */
  #currentVersion(): FileVersion | undefined {
    const stat = statOrUndefined(this.#options.path);
    return stat && toFileVersion(stat);
  }

  #read(): Promise<void> {
    this.#reading ??= this.#enqueue(() => this.#reader.readChanges({ waitForIncomplete: true })).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** A store that cannot be read is reported, and must not end the server. */
  #pollFile(): void {
    try {
      this.#checkFile();
    } catch (error) {
      this.#warnOnce(error);
    }
  }

  #checkFile(): void {
    if (this.#store.largeChange !== undefined || this.#reading !== undefined) return;
    this.#lateAppends.recover();
    const version = this.#currentVersion();
    if (version !== undefined && this.#reader.isForeign(version)) void this.#read();
    const isMissing = version === undefined && getMirrorState(this.#store) !== undefined;
    if (!isMissing && !this.#writer.isBehind()) {
      this.#behindSince = undefined;
      return;
    }
    this.#behindSince ??= performance.now();
    if (performance.now() - this.#behindSince > TAKE_OVER_MS) this.#writeSoon();
  }

  #writeSoon(): void {
    if (this.#writeTimer !== undefined || this.#options.readOnly) return;
    const isLarge = (getMirrorState(this.#store)?.size ?? 0) > LARGE_FILE_BYTES;
    const write = (): void => {
      this.#writeTimer = undefined;
      void this.flush();
    };
    this.#writeTimer = setTimeout(write, isLarge ? LARGE_FILE_WRITE_DELAY_MS : WRITE_DELAY_MS).unref();
  }

  /** Runs work on the file after all earlier work. A failure is reported, and the next poll tries again. */
  async #enqueue(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      try {
        await work();
        this.#lastWarning = undefined;
      } catch (error) {
        this.#warnOnce(error);
      }
    };
    this.#queue = this.#queue.then(run);
    await this.#queue;
  }

  /** Does not repeat the last warning. */
  #warnOnce(error: unknown): void {
    const code = error instanceof GraphError ? undefined : systemErrorCode(error);
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    const message = `${basename(this.#options.path)} not up to date${code === undefined ? "" : ` (${code})`}: ${reason}. The memory itself is complete. The server tries again.`;
    if (message !== this.#lastWarning) this.#options.warn(message);
    this.#lastWarning = message;
  }
}
