// What fetch, pull and push share: running the command, the refs that it updated, and its errors.
import { GitError } from "../errors.ts";
import { readableMessage } from "../messages/readable-message.ts";
import { gitFailure } from "../process/git-failure.ts";
import type { GitResult } from "../process/git-process.ts";
import type { ChangeOptions, Repository } from "../repository.ts";
import { TRANSFER_TIMEOUT_MS, type NetworkEnvironment } from "./network.ts";
import { progressReader, withoutProgress, type ReportProgress } from "./progress-reader.ts";

export interface TransferOptions {
  /** Name of the remote. */
  readonly remote?: string | undefined;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

export interface RefUpdate {
  /** In git's words: `new branch`, `abc..def`, `up to date`. */
  readonly summary: string;
  readonly from: string;
  readonly to: string;
  readonly rejected: boolean;
}

/** Runs a command that talks to a remote; returns its result whatever the exit code. */
export async function runTransfer(
  repository: Repository,
  args: readonly string[],
  { report, signal }: TransferOptions,
  network: NetworkEnvironment,
  more: Pick<ChangeOptions, "beforeStart"> = {},
): Promise<GitResult> {
  return repository.tryChange({
    args,
    ...network,
    signal,
    timeoutMs: TRANSFER_TIMEOUT_MS,
    onStderr: progressReader(report),
    ...more,
  });
}

export function transferFailure(repository: Repository, result: GitResult, command: string): GitError {
  const stderr = withoutProgress(result.stderr);
  const message = readableMessage(repository.state, stderr);
  const isDenied =
    /Authentication failed|could not read Username|Permission denied \(publickey|terminal prompts disabled|Host key verification failed/i;
  if (isDenied.test(stderr))
    return new GitError(
      "failed",
      `The remote denied access: this server never asks for passwords. Set up a credential helper or an ssh key with git itself, then try again. git says: ${message}`,
    );
  if (/transport '[^']*' not allowed/.test(stderr))
    return new GitError("denied", `Refused: the protocol is not allowed. Allow it with --protocols. git says: ${message}`);
  return gitFailure(repository, { ...result, stderr }, [command]);
}
