// Options of the JSONL mirror.
import type { NameCalls } from "@oarlock/domain-kit";

export interface MirrorOptions {
  readonly path: string;
  /** The database, which is backed up before a large deletion. */
  readonly database: string;
  /** The file is read, but never written. */
  readonly readOnly: boolean;
  /** Logs a message for the operator. */
  readonly warn: (message: string) => void;
  /** Rename and link. Default: those of the system. */
  readonly calls?: NameCalls;
}

/** A file above this size is written less often, and calls do not wait until it has been read. */
export const LARGE_FILE_BYTES = 4 * 1024 * 1024;
/** A file that was written this recently may still be being written. */
export const SETTLED_MS = 250;
/** Another process may interfere with each attempt to read or write the file. */
export const MAX_ATTEMPTS = 20;
