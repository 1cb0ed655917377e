// What the memory server is created with.
import type { Preference } from "./graph/search/preferences.ts";
import type { OpenGraphOptions } from "./open-graph.ts";

export const DEFAULT_MAX_RESULT_BYTES = 2_500_000;

export interface Options extends OpenGraphOptions {
  /**
   * Which memory is used: a name for one beside the default, `principal` for one of each user that an authorization server names, or
   * `project` for one of each folder that clients work in. Default: the memory at `location`.
   */
  scope?: string | undefined;
  /** Names of further memories that can be read. */
  readScopes?: readonly string[];
  /** A folder of Markdown notes that is kept in step with the memory. Not with `readOnly`. */
  mirror?: string | undefined;
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
