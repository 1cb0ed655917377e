// One open repository: every git command in it goes through `read` or `change`.
import { join } from "node:path";
import { areChangesReported, clip, reportChange, systemErrorCode, type CursorSealer } from "@oarlock/domain-kit";
import type { UserConfig } from "./configuration/user-config.ts";
import { settingsForEveryCommand } from "./configuration/user-settings.ts";
import { GitError } from "./errors.ts";
import type { ConfigEntry } from "./process/config-list.ts";
import type { IsTrusted } from "./lockdown/trusted-authors.ts";
import { repositoryEnvironment, type Setting } from "./process/environment.ts";
import { runChange, type ChangeCommand } from "./process/change-command.ts";
import { gitFailure, stoppedChange } from "./process/git-failure.ts";
import { GitTimeout, type GitCommand, type GitContext, type GitResult } from "./process/git-process.ts";
import { withHookTrace, type HookRun } from "./messages/hook-trace.ts";
import { ObjectLookup } from "./process/object-lookup.ts";
import type { Lookup, ObjectContent } from "./process/object-reader.ts";
import { runRead } from "./process/read-command.ts";
import type { Head } from "./process/repository-paths.ts";
import { HeadReader } from "./refs/head-reader.ts";
import { requireUnborn } from "./refs/unborn.ts";
import { refNamesIn } from "./refs/revision-syntax.ts";
import { requireSafeSettings } from "./safety/settings/change-settings.ts";
import { requireReadableRef } from "./safety/git-directory/ref-files.ts";
import { excludePaths } from "./safety/path-resolver.ts";
import type { FilterPrograms } from "./safety/filter-programs.ts";
import { refusedSettings, type RepositoryState } from "./safety/repository-state.ts";
import { SubmoduleCheck } from "./safety/submodule-check.ts";
import { isByteName } from "./text/file-names.ts";

export interface ChangeOptions extends ChangeCommand {
  /** Settings that override the safe ones. */
  readonly settings?: readonly Setting[] | undefined;
  /** Variables besides those of every process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Opens a repository inside another one, which refuses an unsafe one. `given`: its path for messages. */
type OpenSubmodule = (folder: string, given: string) => Promise<Repository>;

export interface RepositoryParts {
  readonly user: UserConfig;
  readonly filters: FilterPrograms;
  readonly openSubmodule: OpenSubmodule;
  readonly cursors: CursorSealer;
  /** How long a changing command may take, hooks included. */
  readonly changeTimeoutMs?: number | undefined;
  readonly isTrusted?: IsTrusted | undefined;
}

export interface Submodule {
  readonly path: string;
  /** Undefined for one that cannot be opened safely. */
  readonly repository: Repository | undefined;
}

export class Repository {
  readonly state: RepositoryState;
  /** The name that callers give as `repo_path`. */
  readonly name: string;
  readonly context: GitContext;
  /** The configuration of the machine and the user, as it applies here. */
  readonly user: UserConfig;
  /** The repository's own settings, with those of the files that it includes. */
  readonly ownSettings: readonly ConfigEntry[];
  /** The filters that git may run here. */
  readonly filters: FilterPrograms;
  readonly submodules: SubmoduleCheck;
  /** Seals the cursors of cut lists. */
  readonly cursors: CursorSealer;
  /** Whose commits are shown with --lockdown. Undefined: everyone's. */
  readonly isTrusted: IsTrusted | undefined;
  /** Settings of every command besides the safe ones. */
  readonly #settings: readonly Setting[];
  readonly #openSubmodule: OpenSubmodule;
  readonly #changeTimeoutMs: number | undefined;
  readonly #objects: ObjectLookup;
  readonly #head: HeadReader;

  constructor(
    git: string,
    state: RepositoryState,
    name: string,
    { user, filters, openSubmodule, cursors, changeTimeoutMs, isTrusted }: RepositoryParts,
  ) {
    this.state = state;
    this.name = name;
    this.user = user;
    this.filters = filters;
    this.ownSettings = user.ownEntries ?? state.config;
    const ownKeys = this.ownSettings.map(({ key }) => key);
    this.#settings = [...settingsForEveryCommand(user.entries, ownKeys), ...filters.settings];
    this.cursors = cursors;
    this.isTrusted = isTrusted;
    const folders = foldersOf(state);
    const env = { ...repositoryEnvironment(git, folders, this.#settings), ...filters.env };
    this.context = { git, env, cwd: state.top, paths: state };
    this.#openSubmodule = openSubmodule;
    this.#changeTimeoutMs = changeTimeoutMs;
    this.#objects = new ObjectLookup(this.context);
    this.#head = new HeadReader(state);
    this.submodules = new SubmoduleCheck(state, async (maxBytes, signal) => {
      const { stdout } = await this.read({ args: ["ls-files", "--stage", "-z"], maxBytes, signal });
      return stdout;
    });
  }

  /** Runs a read-only command. Throws a {@link GitError} when it fails. */
  async read(command: GitCommand): Promise<GitResult> {
    return this.#requireSuccess(await this.tryRead(command), command);
  }

  /** Runs a read-only command; returns its result whatever the exit code. */
  async tryRead(command: GitCommand, context = this.context): Promise<GitResult> {
    return runRead(context, command, { mayStartPrograms: this.state.isTrusted || this.filters.names.size > 0 });
  }

  /** Runs a command that compares the work tree. Leaves out submodules that cannot be opened safely: git would read their HEAD. */
  async readWorkTree(command: GitCommand, submodules?: readonly Submodule[]): Promise<GitResult> {
    const all = submodules ?? (await this.openSubmodules(command.signal));
    const unsafe = all.flatMap(({ path, repository }) => (repository === undefined ? [path] : []));
    const [context, rest] = excludePaths(this.context, command, unsafe);
    return this.#requireSuccess(await this.tryRead(rest, context), command);
  }

  /** Runs a command that changes the repository. Throws a {@link GitError} when it fails. */
  async change(options: ChangeOptions): Promise<GitResult> {
    return this.#requireSuccess(await this.tryChange(options), options);
  }

  /** Runs a command that creates something. Throws a conflict with the message where the name is taken. */
  async create(options: ChangeOptions, taken: string): Promise<void> {
    const result = await this.tryChange(options);
    if (result.exitCode !== 0 && /already exists/.test(result.stderr)) throw new GitError("conflict", taken);
    this.#requireSuccess(result, options);
  }

  /** Runs a command that changes the repository; returns its result whatever the exit code. */
  async tryChange({ settings, env, ...command }: ChangeOptions): Promise<GitResult> {
    await this.requireSafeChange(command);
    const { git, env: base } = this.context;
    const safe = settings === undefined ? base : repositoryEnvironment(git, foldersOf(this.state), [...this.#settings, ...settings]);
    const context = { ...this.context, env: { ...safe, ...this.filters.env, ...env } };
    const runsHooks = settings?.some(([key]) => key === "core.hooksPath") === true;
    const before = areChangesReported() ? this.head() : undefined;
    const result = runsHooks
      ? await withHookTrace((trace, lastHook) => this.#runChange({ ...context, env: { ...context.env, ...trace } }, command, lastHook))
      : await this.#runChange(context, command);
    if (before === undefined) return result;
    const { branch, oid } = this.head();
    if (branch !== before.branch || oid !== before.oid) reportChange([branch === undefined ? "HEAD" : `refs/heads/${branch}`]);
    return result;
  }

  /** Throws a {@link GitError} where the configuration, also that of a submodule, could start a program in a command that changes something. */
  async requireSafeChange({ args, signal }: Pick<GitCommand, "args" | "signal">): Promise<void> {
    const entersSubmodules = requireSafeSettings(this.name, this.state, args);
    if (entersSubmodules) await this.submodules.run(async (folder, path) => this.#openEntered(folder, path), signal);
  }

  async #runChange(context: GitContext, command: ChangeCommand, lastHook?: () => HookRun | undefined): Promise<GitResult> {
    const before = this.head();
    try {
      const result = await runChange(context, { timeoutMs: this.#changeTimeoutMs, ...command }, this.state.commonDir);
      const hook = result.exitCode === 0 ? undefined : lastHook?.();
      return hook?.exitCode === undefined || hook.exitCode === 0 ? result : { ...result, failedHook: hook };
    } catch (error) {
      if (!(error instanceof GitTimeout)) throw error;
      throw stoppedChange(command, error, { before, after: this.head(), hook: lastHook?.() });
    }
  }

  /** The submodules that are checked out. */
  async openSubmodules(signal?: AbortSignal): Promise<Submodule[]> {
    const submodules: Submodule[] = [];
    for (const path of await this.submodules.checkedOut(signal)) submodules.push({ path, repository: await this.#tryOpen(path) });
    return submodules;
  }

  /** Opens the repository in a folder of the work tree. Throws a {@link GitError} where it is unsafe. */
  async openNested(path: string): Promise<Repository> {
    if (isByteName(path))
      throw new GitError("unsafe", `Refused: the name of the repository ${clip(path)} is not UTF-8, so it cannot be checked. Rename it.`);
    return await this.#openSubmodule(join(this.state.top, path), path);
  }

  /** Opens a submodule that a changing command may start a git in. That git does not get the settings which switch filters off. */
  async #openEntered(folder: string, path: string): Promise<Repository> {
    const submodule = await this.#openSubmodule(folder, path);
    const { filters } = submodule;
    if (filters.switchedOff.length > 0) throw refusedSettings(path, "could run something", filters.switchedOff);
    return submodule;
  }

  async #tryOpen(path: string): Promise<Repository | undefined> {
    try {
      return await this.openNested(path);
    } catch (error) {
      if (error instanceof GitError || systemErrorCode(error) !== undefined) return undefined;
      throw error;
    }
  }

  #requireSuccess(result: GitResult, { args }: GitCommand): GitResult {
    if (result.isTruncated || result.exitCode === 0) return result;
    throw gitFailure(this, result, args);
  }

  /** Throws for a bare repository. */
  requireWorkTree(): void {
    if (this.state.isBare)
      throw new GitError(
        "invalid",
        "This repository is bare: it has no work tree. Use a tool that reads revisions, such as git_log or git_show.",
      );
  }

  /**
   * The object with any name that git understands; with `maxBytes` also the first bytes of its content. `name` must be one line.
   * Throws a {@link GitError} for a name that leads git to a file which cannot be a ref.
   */
  async object(name: string | Buffer, maxBytes?: number, signal?: AbortSignal): Promise<Lookup<ObjectContent>> {
    if (typeof name === "string") for (const ref of refNamesIn(name)) requireReadableRef(this.state, ref);
    return this.#objects.find(name, maxBytes, signal);
  }

  /** HEAD as its files have it, without a process. */
  head(): Head {
    return this.#head.read();
  }

  /** Whether packed-refs holds a ref whose name begins so. */
  hasPackedRefBelow(prefix: string): boolean {
    return this.#head.hasPackedRefBelow(prefix);
  }

  /** The commit at HEAD; undefined before the first one. Throws where a ref is damaged. */
  async headCommit(signal?: AbortSignal): Promise<string | undefined> {
    const { oid } = this.head();
    if (oid !== undefined) return oid;
    const found = await this.object("HEAD", undefined, signal);
    if (typeof found !== "string") return found.oid;
    await requireUnborn(this, signal);
    return undefined;
  }

  close(): void {
    this.#objects.close();
  }
}

const foldersOf = ({ gitDir, top, isBare }: RepositoryState) => ({ gitDir, workTree: isBare ? undefined : top });
