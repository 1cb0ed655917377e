// Runs git commands that change a repository. Every one of them starts its process here, after earlier ones that take the same locks.
import { reportChange } from "@oarlock/domain-kit";
import { changedNames, isTrial } from "./changed-names.ts";
import { withLocks, type Lock } from "./command-queue.ts";
import type { GitArgument, GitCommand, GitContext, GitResult } from "./git-process.ts";
import { runThroughSimpleGit } from "./simple-git-command.ts";

interface ChangeTraits {
  readonly locks: readonly Lock[];
  /** It may start a git in checked-out submodules, which reads their configuration. */
  readonly entersSubmodules: boolean;
  /** It may merge the content of files, by a program that the configuration names. */
  readonly mergesFiles?: boolean;
}

const entering: ChangeTraits = { locks: ["index"], entersSubmodules: true };
const merging: ChangeTraits = { ...entering, mergesFiles: true };
const staying: ChangeTraits = { locks: ["index"], entersSubmodules: false };

const CHANGE_COMMANDS: Readonly<Record<string, ChangeTraits>> = {
  add: entering,
  apply: staying,
  branch: staying,
  checkout: entering,
  "cherry-pick": merging,
  clone: { locks: [], entersSubmodules: false },
  commit: entering,
  fetch: { locks: ["fetch"], entersSubmodules: false },
  "hash-object": { locks: [], entersSubmodules: false },
  init: { locks: [], entersSubmodules: false },
  merge: merging,
  pull: { ...merging, locks: ["fetch", "index"] },
  push: { locks: [], entersSubmodules: false },
  rebase: merging,
  remote: staying,
  reset: entering,
  restore: entering,
  revert: merging,
  rm: entering,
  stash: entering,
  tag: staying,
  "update-index": staying,
  "update-ref": staying,
  worktree: entering,
  "write-tree": { locks: [], entersSubmodules: false },
};

export interface ChangeCommand extends GitCommand {
  /** Called when the locks are free, right before the process starts; throws to prevent it. */
  readonly beforeStart?: (() => void) | undefined;
}

/** Throws an `Error` for a command that is not in the list above: a bug in this server. `hasAutostash`: an end of the operation applies one. */
export function traitsOf([name, ...options]: readonly GitArgument[], hasAutostash = false): ChangeTraits {
  const [subcommand] = options;
  const takesStash = name === "stash" && (subcommand === "apply" || subcommand === "pop");
  // It goes back to a commit as git reset does, with nothing to merge.
  if (subcommand === "--abort" && !hasAutostash) return staying;
  const traits = takesStash ? merging : CHANGE_COMMANDS[String(name)];
  if (traits === undefined) throw new Error(`git ${String(name)} is not a known changing command.`);
  const isForward = options.includes("--ff-only");
  return isForward ? { ...traits, mergesFiles: false } : traits;
}

/** Sections of which going back reads nothing, by operation: what is unknown in them cannot keep a user from it. */
const UNREAD_BY_ABORT: Readonly<Record<string, readonly string[]>> = {
  merge: ["add", "commit", "init", "rebase", "revert"],
  rebase: ["add", "commit", "init", "revert"],
  "cherry-pick": ["add", "init", "rebase"],
  revert: ["add", "init", "rebase"],
};

/** Whether a command may read a setting, `key` as git lists it. */
export function readsSetting([name, step]: readonly GitArgument[], key: string): boolean {
  return step !== "--abort" || UNREAD_BY_ABORT[String(name)]?.some((section) => key.startsWith(`${section}.`)) !== true;
}

/** Returns the result whatever the exit code. `commonDir`: the common directory of the repository, or a new repository's folder. */
export async function runChange(context: GitContext, { beforeStart, ...command }: ChangeCommand, commonDir: string): Promise<GitResult> {
  const start = performance.now();
  const work = async (): Promise<GitResult> => {
    beforeStart?.();
    // The request waits for earlier commands too.
    const timeoutMs = command.timeoutMs === undefined ? undefined : Math.max(1, command.timeoutMs - (performance.now() - start));
    // What is tried on a temporary index changes nothing in the repository either.
    const isTried = isTrial(command) || context.env["GIT_INDEX_FILE"] !== undefined;
    if (!isTried) reportChange([context.cwd, ...changedNames(command)]);
    return await runThroughSimpleGit(context, { ...command, timeoutMs });
  };
  return withLocks(commonDir, traitsOf(command.args).locks, work, command.signal);
}
