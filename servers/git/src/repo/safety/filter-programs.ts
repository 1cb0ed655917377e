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
const FILTER_COMMAND = /^filter\.([^]+)\.(?:clean|smudge|process)$/;

/** The settings that filters use. */
export const filterSettings = (entries: readonly ConfigEntry[]): Setting[] =>
  entries.filter(({ key }) => USED_SETTING.test(key)).map(({ key, value }) => [key, value ?? "true"]);

/** The filters for which these settings name a program. */
export const filterNames = (entries: readonly ConfigEntry[]): Set<string> =>
  new Set(entries.flatMap(({ key, value }) => (value ? (FILTER_COMMAND.exec(key)?.[1] ?? []) : [])));

const FILTER_SETTING = /^filter\.([^]+)\.(?:clean|smudge|process|required)$/;
/** Each takes a few variables of the environment. */
const MAX_FILTERS = 200;

/** Settings that keep git from running the filters of a repository's own configuration. Throws a {@link GitError} for too many of them. */
export function switchedOffFilters(entries: readonly ConfigEntry[]): Setting[] {
  const names = new Set(entries.flatMap(({ key }) => FILTER_SETTING.exec(key)?.[1] ?? []));
  if (names.size > MAX_FILTERS)
    throw new GitError(
      "unsafe",
      `Refused: the configuration of the repository has ${names.size} filters: at most ${MAX_FILTERS} can be switched off. Remove some of them.`,
    );
  return [...names].flatMap((name): Setting[] => [
    ...["clean", "smudge", "process"].map((program): Setting => [`filter.${name}.${program}`, ""]),
    [`filter.${name}.required`, "false"],
  ]);
}
