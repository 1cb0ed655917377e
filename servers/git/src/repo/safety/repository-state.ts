// The state of a repository that may be opened: its folders and configuration, checked. The result is cached and checked again when
// something has changed, so that an ordinary call costs a few stats.
import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { homeFolder, platform, thisMachine, type HostEnvironment } from "../../platform.ts";
import { GitError } from "../errors.ts";
import { lastValue, type ConfigEntry } from "../process/config-list.ts";
import type { RepositoryPaths } from "../process/repository-paths.ts";
import { redactCredentials } from "./credential-redaction.ts";
import { entryAt } from "./file-entry.ts";
import { fileSignature, GitDirectoryCheck, isSettled } from "./git-directory/git-directory-check.ts";
import { IndexCheck } from "./git-directory/index-check.ts";
import { configuredRefNames, requireConfiguredRefs } from "./git-directory/ref-files.ts";
import { IncludedSettings } from "./settings/included-settings.ts";
import { keysByRisk, readConfigFile, type SettingPolicy } from "./repository-config.ts";
import type { SettingRisk } from "./settings/setting-row.ts";
import { requireOwnRepository } from "./repository-owner.ts";
import { realPath, type Sandbox } from "./sandbox.ts";

export interface RepositoryState extends RepositoryPaths {
  readonly config: readonly ConfigEntry[];
  /** Keys of settings that choose programs or addresses for the network. */
  readonly networkSettings: readonly string[];
  /** Keys of settings that are not known to be harmless for commands that change something. */
  readonly changeSettings: readonly string[];
  /** Keys of settings that could run something when files are merged. */
  readonly mergeSettings: readonly string[];
  /** The operator trusts it: programs that its configuration names run as git runs them. */
  readonly isTrusted: boolean;
}

interface CacheEntry {
  readonly configSignature: string;
  readonly state: RepositoryState;
  readonly directoryCheck: GitDirectoryCheck;
  readonly indexCheck: IndexCheck;
  readonly refNames: readonly string[];
  readonly included: IncludedSettings;
}

const MAX_CACHED = 256;
const MAX_LISTED_KEYS = 5;

export class RepositoryStateCache {
  readonly #git: string;
  readonly #home: string;
  readonly #isTrusted: (real: string) => boolean;
  /** By sandbox: a path inside one may be outside another. */
  readonly #cache = new WeakMap<Sandbox, Map<string, CacheEntry>>();

  /** `env`: the variables of the server, which tell what `~` stands for. */
  constructor(git: string, isTrusted: (real: string) => boolean, env: HostEnvironment = thisMachine.env) {
    this.#git = git;
    this.#home = homeFolder({ platform, env });
    this.#isTrusted = isTrusted;
  }

  /** Throws a {@link GitError} for a repository that must not be opened. `given`: its path as the caller wrote it. */
  async check(
    sandbox: Sandbox,
    paths: RepositoryPaths,
    given: string,
    settings: SettingPolicy,
    signal?: AbortSignal,
  ): Promise<RepositoryState> {
    let cache = this.#cache.get(sandbox);
    if (cache === undefined) this.#cache.set(sandbox, (cache = new Map()));
    const key = `${paths.top}\0${paths.gitDir}\0${paths.commonDir}`;
    const configSignature = configSignatureOf(paths);
    const cached = cache.get(key);
    if (cached?.configSignature === configSignature && cached.included.isUnchanged()) {
      cached.directoryCheck.run(given);
      cached.indexCheck.run(given);
      requireConfiguredRefs(paths, cached.refNames, given);
      return cached.state;
    }
    const isTrusted = this.#isTrusted(paths.top);
    if (!isTrusted) requireOwnRepository(paths, given);
    const directoryCheck = new GitDirectoryCheck(sandbox, paths);
    directoryCheck.run(given);
    const files = await this.#readConfig(paths, signal);
    const config = files.flatMap(({ entries }) => entries);
    const { folders } = sandbox;
    const gitDirs = [paths.gitDir, paths.commonDir];
    const included = new IncludedSettings({ git: this.#git, gitDirs, sandbox: { folders }, home: this.#home, policy: settings, signal });
    if (!isTrusted) for (const { file, entries } of files) await included.read(file, entries);
    const indexCheck = new IndexCheck(paths.gitDir, lastValue(config, "extensions.objectformat") === "sha256" ? 32 : 20);
    indexCheck.run(given);
    const refNames = configuredRefNames(config);
    requireConfiguredRefs(paths, refNames, given);
    requireOwnWorkTree(paths, config, given);
    const keys = keysByRisk(config, settings, included.risks);
    if (!isTrusted) requireSafeConfig(keys, given);
    const [changeSettings, mergeSettings] = isTrusted ? [[], []] : [keys.change, keys.merge];
    const state = { ...paths, config, networkSettings: keys.network, changeSettings, mergeSettings, isTrusted };
    if (cache.size >= MAX_CACHED) cache.clear();
    const isKept = isConfigSettled(paths) && included.isSettled();
    if (isKept) cache.set(key, { configSignature, state, directoryCheck, indexCheck, refNames, included });
    return state;
  }

  /** The settings of each file. */
  async #readConfig(
    { commonDir, gitDir }: RepositoryPaths,
    signal?: AbortSignal,
  ): Promise<{ file: string; entries: readonly ConfigEntry[] }[]> {
    const read = async (file: string) => ({ file, entries: await readConfigFile(this.#git, file, signal) });
    const config = await read(join(commonDir, "config"));
    // Whether git reads the second file depends on a boolean with many spellings: it is checked in any case.
    if (!config.entries.some(({ key }) => key === "extensions.worktreeconfig")) return [config];
    return [config, await read(join(gitDir, "config.worktree"))];
  }
}

function configSignatureOf({ gitDir, commonDir, top }: RepositoryPaths): string {
  const entry = lstatSync(join(top, ".git"), { throwIfNoEntry: false, bigint: true });
  // The times of a folder change with each lock file in it; its identity does not.
  const identity = entry?.isDirectory() === true ? `${entry.dev}:${entry.ino}` : fileSignature(join(top, ".git"));
  return [fileSignature(join(commonDir, "config")), fileSignature(join(gitDir, "config.worktree")), identity].join(" ");
}

const isConfigSettled = ({ gitDir, commonDir }: RepositoryPaths): boolean =>
  [join(commonDir, "config"), join(gitDir, "config.worktree")].every((path) => isSettled(entryAt(path)));

/** A submodule names its own work tree; with any other value git would work on files outside the checked folder. */
function requireOwnWorkTree({ top, gitDir, isBare }: RepositoryPaths, config: readonly ConfigEntry[], given: string): void {
  const workTree = lastValue(config, "core.worktree");
  if (workTree === undefined || (!isBare && realPath(resolve(gitDir, workTree)) === top)) return;
  throw new GitError(
    "denied",
    `Access denied - the configuration of ${clip(given)} puts its work tree somewhere else (core.worktree). Remove the setting.`,
  );
}

function requireSafeConfig({ unsafe, unknown }: Record<SettingRisk, readonly string[]>, given: string): void {
  // The work tree has been checked.
  const risky = unsafe.filter((key) => key !== "core.worktree");
  if (risky.length > 0) throw refusedSettings(given, "could run something", risky);
  if (unknown.length > 0) throw refusedSettings(given, "are not known to be harmless", unknown);
}

/** The error about settings of a repository. `also`: one more way out. */
export function refusedSettings(given: string, problem: string, keys: readonly string[], also = ""): GitError {
  const [first = "KEY"] = keys.map((key) => clip(redactCredentials(key), 60));
  return new GitError(
    "unsafe",
    `Refused: the configuration of ${clip(given)} holds settings that ${problem}: ${listKeys(keys)}. Remove them (git config --unset),${also} or start the server with --allow-setting ${first} for one that you know, or with --trust and the path if you trust the whole repository.`,
  );
}

/** The first keys of some settings for a message: a key may hold an address with a password. */
export const listKeys = (keys: readonly string[]): string =>
  keys
    .slice(0, MAX_LISTED_KEYS)
    .map((key) => clip(redactCredentials(key), 60))
    .join(", ") + (keys.length > MAX_LISTED_KEYS ? ` and ${keys.length - MAX_LISTED_KEYS} more` : "");
