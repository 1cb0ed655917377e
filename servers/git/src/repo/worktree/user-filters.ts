// Which filters run in a repository: those of the user's own configuration with --filters, and those of a repository that the operator
// trusts or allows by name. A filter gets the user's settings for networks too, as Git LFS fetches file content.
import type { HostEnvironment } from "../../platform.ts";
import type { ConfigEntry } from "../process/config-list.ts";
import { networkEnvironmentFrom } from "../remote/network.ts";
import { filterNames, filterOf, filterSettings, switchedOffFilters, type FilterPrograms } from "../safety/filter-programs.ts";
import { listKeys, type RepositoryState } from "../safety/repository-state.ts";

export interface FilterPolicy {
  /** Whether filters of the user's own configuration run. */
  readonly filters: boolean;
  readonly env: HostEnvironment;
}

/** Settings of Git LFS that a repository may hold: they name no program and no address. */
const HARMLESS_LFS =
  /^lfs\.(?:(?:[^]+\.)?(?:access|locksverify)|repositoryformatversion|fetch(?:include|exclude)|fetchrecent\w+|prune\w+|concurrenttransfers|(?:dial|tls|activity)timeout|keepalive|skipdownloaderrors|allowincompletepush)$/;

/** `isAllowed`: whether the operator accepts a setting of the repository. */
export function filterPrograms(
  state: RepositoryState,
  user: readonly ConfigEntry[],
  { filters, env }: FilterPolicy,
  isAllowed: (key: string) => boolean,
): FilterPrograms {
  const isAccepted = ({ key }: ConfigEntry): boolean => state.isTrusted || isAllowed(key);
  const refused = state.config.filter((entry) => !isAccepted(entry));
  const partly = new Set(refused.map(({ key }) => filterOf(key)));
  const own = new Set([...filterNames(state.config.filter(isAccepted))].filter((name) => !partly.has(name)));
  const off = switchedOffFilters(refused.filter(({ key }) => !isRequiredBy(own, key)));
  const switchedOff = off.map(([key]) => key);
  const none = (remedy: FilterPrograms["remedy"]): FilterPrograms => ({ names: own, switchedOff, settings: off, env: {}, remedy });
  if (!filters) return none(() => "Start the server with --filters to run the filters of your own git configuration, or use git itself.");
  const foreign = [
    ...state.networkSettings,
    ...state.config.map(({ key }) => key).filter(isForeignLfsSetting),
    ...switchedOff.filter((key) => isInTheWay(key, user)),
  ];
  if (foreign.length > 0 && !state.isTrusted)
    return none(
      () =>
        `Filters do not run, as the configuration of the repository chooses what they use: ${listKeys(foreign)}. Remove these settings, or start the server with --trust and the path.`,
    );
  const network = networkEnvironmentFrom(user, { protocols: [], env });
  return {
    names: new Set([...own, ...filterNames(user)]),
    switchedOff,
    settings: [...off, ...network.settings, ...filterSettings(user)],
    env: network.env,
    remedy: (name) =>
      name === "lfs"
        ? "Set Git LFS up for your user (git lfs install), then start the server again."
        : `Your own git configuration has no filter ${name}: set filter.${name}.clean and filter.${name}.smudge, then start the server again.`,
  };
}

/** Whether a setting only says that one of these filters must not fail. */
const isRequiredBy = (names: ReadonlySet<string>, key: string): boolean =>
  key.endsWith(".required") && [...names].some((name) => key === `filter.${name}.required`);

/** With any `process`, an empty one too, git runs neither `clean` nor `smudge` of that filter. */
function isInTheWay(key: string, user: readonly ConfigEntry[]): boolean {
  const name = key.endsWith(".process") ? filterOf(key) : undefined;
  return name !== undefined && filterNames(user).has(name) && !user.some((entry) => entry.key === key);
}

const isForeignLfsSetting = (key: string): boolean => key.startsWith("lfs.") && !HARMLESS_LFS.test(key);
