// Filters (attribute `filter`, such as that of Git LFS) that git may run in a repository.
import type { ConfigEntry } from "../process/config-list.ts";
import type { Setting } from "../process/environment.ts";

export interface FilterPrograms {
  /** The filters that run. */
  readonly names: ReadonlySet<string>;
  /** Settings and variables of every command in the repository. */
  readonly settings: readonly Setting[];
  readonly env: Readonly<Record<string, string>>;
  /** What to do for a filter that does not run: a sentence. */
  readonly remedy: (name: string) => string;
}

const USED_SETTING = /^(?:filter|lfs)\./;
const FILTER_COMMAND = /^filter\.([^]+)\.(?:clean|smudge|process)$/;

/** The settings that filters use. */
export const filterSettings = (entries: readonly ConfigEntry[]): Setting[] =>
  entries.filter(({ key }) => USED_SETTING.test(key)).map(({ key, value }) => [key, value ?? "true"]);

/** The filters for which these settings name a program. */
export const filterNames = (entries: readonly ConfigEntry[]): Set<string> =>
  new Set(entries.flatMap(({ key, value }) => (value ? (FILTER_COMMAND.exec(key)?.[1] ?? []) : [])));
