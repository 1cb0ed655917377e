// What the configuration of a repository could start in a command that changes something.
import { readsSetting, traitsOf } from "../../process/change-command.ts";
import type { GitCommand } from "../../process/git-process.ts";
import { hasAutostash } from "../operation/autostash.ts";
import { refusedSettings, type RepositoryState } from "../repository-state.ts";

/** Throws a GitError where a setting could start a program. Returns whether the command starts a git in submodules. */
export function requireSafeSettings(name: string, state: RepositoryState, args: GitCommand["args"]): boolean {
  const { entersSubmodules, mergesFiles } = traitsOf(args, hasAutostash(state));
  if (mergesFiles && state.mergeSettings.length > 0)
    throw refusedSettings(name, "could run something when files are merged", state.mergeSettings);
  const read = state.changeSettings.filter((key) => readsSetting(args, key));
  if (read.length > 0) throw refusedSettings(name, "are not known to be harmless when something is changed", read);
  return entersSubmodules;
}
