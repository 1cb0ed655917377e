// What the memory server is created with.
import type { EmbeddingsConfiguration } from "./configured-embeddings.ts";
import type { Location } from "./graph/location.ts";
import type { Preference } from "./graph/search/preferences.ts";
import type { FileFault } from "./graph/errors.ts";
import type { Owner } from "./graph/owner.ts";
import type { PostgresLocation } from "./postgres-location.ts";

export const DEFAULT_MAX_RESULT_BYTES = 2_500_000;

export interface Options {
  /** Where the memory is stored; see `locationOf` and `postgresLocationOf`. */
  location: Location | PostgresLocation;
  /**
   * Which memory is used: a name for one beside the default, `principal` for one of each user that an authorization server names, or
   * `project` for one of each folder that clients work in. Default: the memory at `location`.
   */
  scope?: string | undefined;
  /** Recorded in the memory where it has none. */
  owner?: Owner | undefined;
  /** Names of further memories that can be read. */
  readScopes?: readonly string[];
  /** Writes no file but the database, and that only if it exists. Default false. */
  readOnly?: boolean;
  /** Computes embeddings, so that searches find by meaning too. Needs a memory in SQLite. Default: none. See `configurationOf`. */
  embeddings?: EmbeddingsConfiguration | undefined;
  /** A folder of Markdown notes that is kept in step with the memory. Not with `readOnly`. */
  mirror?: string | undefined;
  /** Logs a message for the operator, such as a damaged line in the JSONL file. */
  warn?: (message: string) => void;
  /** Called with the path of a database after each call: with what is wrong with its file, or undefined after a call that could use it. */
  onFault?: ((database: string, fault: FileFault | undefined) => void) | undefined;
  /** Databases that were opened. One of them that is missing now is not created again. Default: each is created. */
  openedDatabases?: Set<string> | undefined;
  /** What decides between matches besides the words: tags, how long ago facts were stated, both, or nothing. Default "match". */
  ranking?: Preference | undefined;
  /** Milliseconds for which deleted and replaced facts are kept. Default: forever. Not with `readOnly`. */
  keepHistoryMs?: number | undefined;
  /** Tells the operator about regular work, such as old history that was removed. */
  report?: (message: string) => void;
  /** Opens the store soon after the start, not with the first call. Default false. */
  openSoon?: boolean;
  /** Purges, merges and large deletions need no confirmation by the user. Default false. */
  allowPurge?: boolean;
  /** Structured results leave out what the text of the reply has, and the list of tools has no output schemas. Default false. */
  lean?: boolean;
  /** Largest result, in bytes. Default: DEFAULT_MAX_RESULT_BYTES. */
  maxResultBytes?: number;
}
