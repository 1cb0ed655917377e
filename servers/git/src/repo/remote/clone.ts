// git clone.
import { dirname } from "node:path";
import { clip } from "@oarlock/domain-kit";
import { settingsForNewRepository } from "../configuration/user-settings.ts";
import { GitError } from "../errors.ts";
import type { ConfigEntry } from "../process/config-list.ts";
import { runChange } from "../process/change-command.ts";
import { newRepositoryEnvironment } from "../process/environment.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import { filterSettings } from "../safety/filter-programs.ts";
import { checkAddress } from "./addresses.ts";
import { networkEnvironmentFrom, TRANSFER_TIMEOUT_MS, type NetworkPolicy } from "./network.ts";
import { pathsOfNew, withNewFolder } from "./new-repository.ts";
import { unfinishedFolder } from "./unfinished-folder.ts";
import { progressReader, type ReportProgress } from "./progress-reader.ts";

export interface CloneOptions {
  readonly url: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
  readonly bare: boolean;
  /** Whether filters of the user's own configuration run on the files. */
  readonly filters: boolean;
  /** The settings of the machine and the user. */
  readonly user: readonly ConfigEntry[];
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

/** Clones to a path from `resolveNewRepository`. */
export async function cloneRepository(
  git: string,
  path: string,
  { url, branch, depth, bare, filters, user, report, signal }: CloneOptions,
  policy: NetworkPolicy,
): Promise<void> {
  checkAddress(url, policy.protocols);
  if (branch !== undefined) checkRefName(branch, "branch");
  const args = [
    "clone",
    "--progress",
    "--no-recurse-submodules",
    "--no-local",
    "--origin=origin",
    ...(branch === undefined ? [] : [`--branch=${branch}`]),
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    ...(bare ? ["--bare"] : []),
    "--",
    url,
    path,
  ];
  const network = networkEnvironmentFrom(user, policy);
  const settings = [...settingsForNewRepository(user), ...network.settings, ...(filters ? filterSettings(user) : [])];
  const parent = dirname(path);
  const context = { git, env: { ...newRepositoryEnvironment(git, settings), ...network.env }, cwd: parent };
  const onKilled = unfinishedFolder(path);
  const command = { args, signal, timeoutMs: TRANSFER_TIMEOUT_MS, onStderr: progressReader(report), onKilled };
  const result = await withNewFolder(parent, () => runChange(context, command, path));
  if (result.exitCode === 0) return;
  if (/not found in upstream/.test(result.stderr))
    throw new GitError("not-found", `The remote has no branch "${clip(branch ?? "")}". Leave branch out to clone its default branch.`);
  const message = readableMessage(pathsOfNew(path), result.stderr.replaceAll(/^(?:.*\d+%.*|Cloning into .*)$/gm, ""));
  throw new GitError("failed", `git clone failed: ${message}`);
}

/** The folder that git would choose for an address. */
export function folderNameOf(url: string): string {
  const path = url
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
  return path.split(/[/:]/).at(-1) ?? "repository";
}
