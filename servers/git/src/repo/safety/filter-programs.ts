// Filters (attribute `filter`, such as that of Git LFS) that git may run in a repository.
import { GitError } from "../errors.ts";
import type { ConfigEntry } from "../process/config-list.ts";
import type { Setting } from "../process/environment.ts";

export interface FilterPrograms {
  /** The filters that run. */
  readonly names: ReadonlySet<string>;
  /** Keys of the repository's own filters, which do not run. */
  readonly switchedOff: readonly string[];
  /** Settings and variables of every command in the repository. */
  readonly settings: readonly Setting[];
  readonly env: Readonly<Record<string, string>>;
  /** What to do for a filter that does not run: a sentence. */
  readonly remedy: (name: string) => string;
}

const USED_SETTING = /^(?:filter|lfs)\./;
/** The name may be empty: the attribute `filter=` has it. */
const FILTER_SETTING = /^filter\.([^]*)\.(clean|smudge|process|required)$/;
/** Each takes two variables of the environment. */
const MAX_SETTINGS = 800;

/** The settings that filters use. */
export const filterSettings = (entries: readonly ConfigEntry[]): Setting[] =>
  entries.filter(({ key }) => USED_SETTING.test(key)).map(({ key, value }) => [key, value ?? "true"]);

/** The filter of a setting that names a program for it. */
export function filterOf(key: string): string | undefined {
  const [, name, setting] = FILTER_SETTING.exec(key) ?? [];
  return setting === "required" ? undefined : name;
}

/** The filters for which these settings name a program. */
export const filterNames = (entries: readonly ConfigEntry[]): Set<string> =>
  new Set(entries.flatMap(({ key, value }) => (value ? (filterOf(key) ?? []) : [])));

/** Settings that keep git from running filters by these settings of a repository. Throws a {@link GitError} for too many of them. */
export function switchedOffFilters(entries: readonly ConfigEntry[]): Setting[] {
  const keys = new Set(entries.flatMap(({ key }) => (FILTER_SETTING.test(key) ? [key] : [])));
  if (keys.size > MAX_SETTINGS)
    throw new GitError(
      "unsafe",
      `Refused: the configuration of the repository has ${keys.size} settings of filters: at most ${MAX_SETTINGS} can be switched off. Remove some of them.`,
    );
  return [...keys].map((key) => [key, key.endsWith(".required") ? "false" : ""]);
}
