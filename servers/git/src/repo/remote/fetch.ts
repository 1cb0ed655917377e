// git fetch.
import { reportChange } from "@oarlock/domain-kit";
import type { Repository } from "../repository.ts";
import { networkEnvironment, type NetworkPolicy } from "./network.ts";
import { selectRemote } from "./remotes.ts";
import { runTransfer, transferFailure, type RefUpdate, type TransferOptions } from "./transfer.ts";

export interface FetchOptions extends TransferOptions {
  /** Removes remote branches that are gone at the remote. */
  readonly prune: boolean;
  readonly tags: boolean;
}

export async function fetchFrom(
  repository: Repository,
  policy: NetworkPolicy,
  options: FetchOptions,
): Promise<{ remote: string; updates: RefUpdate[] }> {
  const { prune, tags } = options;
  const remote = selectRemote(repository, options.remote, policy.protocols);
  const args = [
    "fetch",
    "--progress",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    ...(prune ? ["--prune"] : []),
    ...(tags ? ["--tags"] : []),
    "--",
    remote.name,
  ];
  const result = await runTransfer(repository, args, options, networkEnvironment(repository, policy));
  if (result.exitCode !== 0) throw transferFailure(repository, result, "fetch");
  const updates = parseUpdates(result.stderr);
  reportChange(updates.map(({ to }) => to));
  return { remote: remote.name, updates };
}

/** Parses ` * [new branch]      main       -> origin/main` and `   abc..def  main -> origin/main`. */
function parseUpdates(stderr: string): RefUpdate[] {
  return stderr.split(/[\r\n]+/).flatMap((line) => {
    const [, flag, summary = "", from = "", to = ""] = /^ ([ *+\-t!=]) (\[[^\]]+\]|\S+)\s+(\S+)\s+->\s+(\S+)/.exec(line) ?? [];
    return flag === undefined ? [] : [{ summary: summary.replaceAll(/[[\]]/g, ""), from, to, rejected: flag === "!" }];
  });
}
