// All repositories that are served: their names, and opening the one that a caller means.
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { clip, systemErrorCode, type CursorSealer } from "@oarlock/domain-kit";
import { isWindows } from "../platform.ts";
import { UserConfigReader, type UserConfig } from "./configuration/user-config.ts";
import { GitError } from "./errors.ts";
import { trustedAuthors } from "./lockdown/trusted-authors.ts";
import { gitMissing } from "./process/git-program.ts";
import { Repository } from "./repository.ts";
import { uniqueNames } from "./repository-names.ts";
import { refusePartialClone } from "./safety/partial-clone.ts";
import { discoverRepository, looksBare } from "./safety/repository-discovery.ts";
import { normalKey } from "./safety/settings/key-parts.ts";
import { RepositoryStateCache } from "./safety/repository-state.ts";
import { gitFacts } from "./safety/settings/git-facts.ts";
import { isInside, type Sandbox, type SandboxFolder } from "./safety/sandbox.ts";
import { filterPrograms, type FilterPolicy } from "./worktree/user-filters.ts";

export interface RepositoriesOptions extends FilterPolicy {
  /** The git program. Undefined where none was found: every call then fails with that message. */
  readonly git: string | undefined;
  readonly folders: readonly SandboxFolder[];
  /** Real paths of folders whose repositories the operator trusts. */
  readonly trusted: readonly string[];
  /** Keys of settings that a repository may hold although they are not known to be harmless. */
  readonly allowedSettings?: readonly string[] | undefined;
  /** Texts of commits by other authors are hidden. Default false. */
  readonly lockdown?: boolean | undefined;
  readonly cursors: CursorSealer;
  readonly changeTimeoutMs?: number | undefined;
}

export interface ListedRepository {
  readonly name: string;
  readonly real: string;
}

const MAX_PATH_LENGTH = 4096;
const MAX_LISTED = 500;
const MAX_NAMED_IN_ERROR = 20;
const MAX_DEPTH = 4;
const MAX_FOLDERS_PER_LEVEL = 5000;

export class Repositories {
  readonly #names: ReadonlyMap<SandboxFolder, string>;
  readonly #states: RepositoryStateCache;
  readonly #user: UserConfigReader;
  readonly #options: RepositoriesOptions;
  readonly #open = new Map<string, Repository>();
  readonly #allowedSettings: ReadonlySet<string>;

  constructor(options: RepositoriesOptions) {
    this.#options = options;
    const { git, folders, trusted, env } = options;
    this.#allowedSettings = new Set((options.allowedSettings ?? []).map(normalKey));
    this.#names = uniqueNames(folders);
    this.#user = new UserConfigReader(git ?? "", env);
    this.#states = new RepositoryStateCache(git ?? "", (real) => trusted.some((folder) => isInside(real, folder)), env);
  }

  /** Opens the repository that a caller means; without a path the only one that is served. Throws a {@link GitError}. */
  async open(sandbox: Sandbox, path: string | undefined, signal?: AbortSignal): Promise<Repository> {
    const { git } = this.#options;
    if (git === undefined) throw gitMissing();
    const real = this.#resolve(sandbox, path);
    const given = path ?? this.nameOf(sandbox, real);
    try {
      return await this.#openAt(git, sandbox, real, given, signal);
    } catch (error) {
      const code = systemErrorCode(error);
      if (error instanceof GitError || code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
      throw new GitError("not-a-repository", `Not a readable git repository: ${clip(given)} (${code}). Check its permissions.`);
    }
  }

  async #openAt(git: string, sandbox: Sandbox, real: string, given: string, signal?: AbortSignal): Promise<Repository> {
    const paths = discoverRepository(sandbox, real, given);
    if (paths === undefined && liesInHiddenRepository(sandbox, real)) throw outsideRoots(given);
    if (paths === undefined) throw new GitError("not-a-repository", `Not a git repository: ${clip(given)}.${this.#servedNames(sandbox)}`);
    const { version, newSettings } = await gitFacts(git);
    const settings = { allowed: this.#allowedSettings, newSettings };
    const state = await this.#states.check(sandbox, paths, given, settings, signal);
    refusePartialClone(state, version, given);
    const user = await this.#user.read(state);
    const open = this.#open.get(state.gitDir);
    if (open?.state === state && open.user === user) return open;
    open?.close();
    const filters = filterPrograms(state, user.entries, this.#options, (key) => this.#allowedSettings.has(normalKey(key)));
    const openSubmodule = (folder: string, path: string): Promise<Repository> =>
      this.#openAt(git, sandbox, realFolderOf(folder) ?? folder, path);
    const { lockdown = false, env } = this.#options;
    const isTrusted = lockdown ? trustedAuthors([...user.entries, ...(user.ownEntries ?? state.config)], env) : undefined;
    const parts = { ...this.#options, user, filters, openSubmodule, isTrusted };
    const repository = new Repository(git, state, this.nameOf(sandbox, state.top), parts);
    this.#open.set(state.gitDir, repository);
    return repository;
  }

  /** The configuration of the machine and the user outside of any repository. */
  async userConfig(): Promise<UserConfig> {
    return this.#user.read();
  }

  /** The real folder that `repo_path` means. */
  #resolve(sandbox: Sandbox, path: string | undefined): string {
    if (path === undefined || path === "" || path === ".") return this.#onlyRepository(sandbox);
    if (path.length > MAX_PATH_LENGTH || path.includes("\0") || !path.isWellFormed())
      throw new GitError("invalid", `repo_path is not a valid path: expected at most ${MAX_PATH_LENGTH} characters of well-formed text.`);
    if (path.startsWith("-")) throw new GitError("invalid", `repo_path cannot begin with "-": ${clip(path)}`);
    for (const candidate of isAbsolute(path) ? [path] : this.#candidates(sandbox.openFolders, path)) {
      const real = realFolderOf(candidate);
      if (real !== undefined && sandbox.contains(real)) return real;
    }
    const all = isAbsolute(path) ? [path] : this.#candidates(sandbox.folders, path);
    if (all.some((candidate) => isHiddenByRoots(sandbox, realFolderOf(candidate) ?? resolve(candidate)))) throw outsideRoots(path);
    throw accessDenied(sandbox, path);
  }

  /** A relative path begins with the name of a repository, or is relative to a folder of repositories or to the only repository. */
  #candidates(folders: readonly SandboxFolder[], path: string): string[] {
    const [first = "", ...rest] = path.split(isWindows ? /[\\/]/ : "/");
    const named = folders.filter((folder) => folder.kind === "repository" && this.#names.get(folder) === first);
    const roots = folders.filter(({ kind }) => kind === "root");
    const [only] = folders.length === 1 ? folders : [];
    return [
      ...named.map(({ real }) => join(real, ...rest)),
      ...roots.map(({ real }) => resolve(real, path)),
      ...(only?.kind === "repository" ? [resolve(only.real, path)] : []),
    ];
  }

  #onlyRepository(sandbox: Sandbox): string {
    if (sandbox.openFolders.length === 0) throw new GitError("denied", `Access denied - ${emptySandboxReason(sandbox)}.`);
    const [only, another] = this.list(sandbox, 2);
    if (only !== undefined && another === undefined) return only.real;
    if (only === undefined)
      throw new GitError(
        "not-a-repository",
        "No repository was found in the served folders. Create one with git_init, or, if the client's roots leave it out, start the server with --roots ignore.",
      );
    throw new GitError("invalid", `Several repositories are served: choose one with repo_path.${this.#servedNames(sandbox)}`);
  }

  #servedNames(sandbox: Sandbox): string {
    const names = this.list(sandbox, MAX_NAMED_IN_ERROR).map(({ name }) => clip(name));
    return names.length === 0 ? "" : ` Served: ${names.join(", ")}.`;
  }

  /** A unique name, which `repo_path` takes in place of a path. */
  nameOf(sandbox: Sandbox, real: string): string {
    const folder = sandbox.folders.find((one) => isInside(real, one.real));
    if (folder === undefined) return basename(real);
    const below = relative(folder.real, real).replaceAll(sep, "/");
    if (folder.kind === "root") return below === "" ? "." : below;
    const name = this.#names.get(folder) ?? "";
    return below === "" ? name : `${name}/${below}`;
  }

  /** The served repositories, at most `limit`. */
  list(sandbox: Sandbox, limit: number = MAX_LISTED): ListedRepository[] {
    const listed: ListedRepository[] = [];
    for (const { real, kind } of sandbox.openFolders) {
      const tops = kind === "repository" ? [real] : repositoriesBelow(real, sandbox, limit - listed.length);
      for (const top of tops) listed.push({ name: this.nameOf(sandbox, top), real: top });
      if (listed.length >= limit) break;
    }
    return listed.slice(0, limit);
  }

  close(): void {
    for (const repository of this.#open.values()) repository.close();
    this.#open.clear();
  }
}

/** Searches breadth-first. Skips what lies inside a found repository, links, hidden folders and node_modules. */
function repositoriesBelow(root: string, sandbox: Sandbox, limit: number): string[] {
  const found: string[] = [];
  let level = [root];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (found.length >= limit) return found;
      if (existsSync(join(folder, ".git")) || (folder !== root && looksBare(folder))) {
        if (sandbox.contains(folder)) found.push(folder);
      } else next.push(...subfolders(folder));
    }
    level = next.slice(0, MAX_FOLDERS_PER_LEVEL);
  }
  return found;
}

/** Empty for an unreadable folder: nothing in it can be served. */
function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** The real path of a folder, or of the folder of a file. */
function realFolderOf(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether a path of the operator is left out only by the client's roots. */
const isHiddenByRoots = (sandbox: Sandbox, real: string): boolean =>
  !sandbox.contains(real) && sandbox.folders.some((folder) => isInside(real, folder.real));

/** Whether a folder is part of a repository whose top the client's roots leave out. */
function liesInHiddenRepository(sandbox: Sandbox, real: string): boolean {
  for (let folder = dirname(real); sandbox.folders.some((one) => isInside(folder, one.real)); folder = dirname(folder))
    if (isHiddenByRoots(sandbox, folder) && existsSync(join(folder, ".git"))) return true;
  return false;
}

const outsideRoots = (given: string): GitError =>
  new GitError(
    "denied",
    `Access denied - the client's roots do not hold the repository of ${clip(given)}. Add its top folder to the roots, or start the server with --roots ignore.`,
  );

/** Only inside the sandbox may a message tell that a path is missing. */
function accessDenied(sandbox: Sandbox, path: string): GitError {
  const text = resolve("/", path);
  const isAllowed = isAbsolute(path) && sandbox.openFolders.some(({ real, given }) => isInside(text, real) || isInside(text, given));
  return isAllowed && !existsSync(path)
    ? new GitError("not-found", `No such directory: ${clip(path)}`)
    : new GitError("denied", `Access denied - path outside the allowed repositories: ${clip(path)}`);
}

/** Why no repository is left in the sandbox. */
export const emptySandboxReason = (sandbox: Sandbox): string =>
  sandbox.folders.length === 0
    ? "no repository was named when the server was started: start it with --repository PATH, or inside a repository"
    : "the client offers no root that holds one of this server's repositories: --roots ignore serves them all";
