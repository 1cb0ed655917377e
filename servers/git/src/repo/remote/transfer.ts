// Fetch, pull and push: git's own, over the allowed protocols, with its progress.
import { GitError, clip } from "../errors.ts";
import { failure, mustNotBeLocked, plain } from "../process/git-failure.ts";
import { guarded } from "./argument-guard.ts";
import { identityOf } from "../worktree/committer-identity.ts";
import { connected, progressReader, TRANSFER_MS, type Network } from "./network.ts";
import { remoteNamed } from "./remotes.ts";
import type { Repository } from "../repository.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import type { Ran } from "../process/git-process.ts";
import { allowances, type Allowed } from "../worktree/hooks-and-signing.ts";
import { inTurn } from "../process/command-queue.ts";

export type Tell = (done: number, message: string) => void;

export interface Updated {
  /** What became of it, as git says it: `new branch`, `abc..def`, `up to date`. */
  readonly summary: string;
  readonly from: string;
  readonly to: string;
  readonly rejected: boolean;
}

export interface FetchOptions {
  readonly remote?: string | undefined;
  readonly prune: boolean;
  readonly tags: boolean;
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

export async function fetchFrom(
  repository: Repository,
  network: Network,
  { remote: name, prune, tags, tell, signal }: FetchOptions,
): Promise<{ remote: string; updates: Updated[] }> {
  const remote = remoteNamed(repository, name, network);
  const { settings, env } = await connected(repository, network);
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
  const ran = await repository.try({
    args: await guarded(args),
    settings,
    env,
    signal,
    timeoutMs: TRANSFER_MS,
    onStderr: progressReader(tell),
  });
  if (ran.code !== 0) throw unreachable(repository, ran, "fetch");
  return { remote: remote.name, updates: updatesIn(ran.stderr) };
}

/** ` * [new branch]      main       -> origin/main`, `   abc..def  main -> origin/main` */
function updatesIn(said: string): Updated[] {
  return said.split(/[\r\n]+/).flatMap((line) => {
    const [, flag, summary = "", from = "", to = ""] = /^ ([ *+\-t!=]) (\[[^\]]+\]|\S+)\s+(\S+)\s+->\s+(\S+)/.exec(line) ?? [];
    return flag === undefined ? [] : [{ summary: summary.replaceAll(/[[\]]/g, ""), from, to, rejected: flag === "!" }];
  });
}

export interface PullOptions {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly how: "ff-only" | "merge" | "rebase";
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

/** What git said, for the caller to see whether there are conflicts. */
export async function pullFrom(
  repository: Repository,
  network: Network,
  allowed: Allowed,
  { remote: name, branch, how, tell, signal }: PullOptions,
): Promise<Ran> {
  repository.needsWorkTree();
  // Before anything is fetched, too; what this server runs itself is waited for.
  await inTurn(repository.facts.commonDir, ["merge"], signal, async () => mustNotBeLocked(repository));
  const remote = remoteNamed(repository, name, network);
  if (branch !== undefined) checkRefName(branch, "branch");
  const [{ settings, env }, own] = await Promise.all([connected(repository, network), allowances(repository, allowed)]);
  const current = repository.head().branch;
  const upstream =
    current === undefined
      ? undefined
      : repository.facts.config.findLast(({ key }) => key === `branch.${current}.merge`)?.value?.replace(/^refs\/heads\//, "");
  const wanted = branch ?? upstream ?? current;
  if (wanted === undefined) throw new GitError("invalid", "HEAD is detached: give the branch to pull.");
  checkRefName(wanted, "branch");
  const identity = how === "ff-only" ? {} : await identityOf(repository, allowed.env);
  const way = how === "ff-only" ? ["--ff-only"] : how === "rebase" ? ["--rebase"] : ["--no-rebase", "--no-edit"];
  const common = ["--progress", "--no-recurse-submodules"];
  const transfer = { signal, timeoutMs: TRANSFER_MS, onStderr: progressReader(tell) };
  // A pull keeps waiting whoever takes a lock: what takes long of it is done before.
  const fetch = ["fetch", ...common, "--no-auto-maintenance", "--", remote.name, wanted];
  const fetched = await repository.try({ args: await guarded(fetch), settings, env, ...transfer });
  if (fetched.code !== 0) throw unreachable(repository, fetched, "fetch");
  const ran = await repository.try({
    args: await guarded(["pull", ...common, "--no-autostash", ...way, "--", remote.name, wanted]),
    settings: [...settings, ...own.settings],
    env: { ...own.env, ...env, ...identity },
    ready: () => mustNotBeLocked(repository),
    ...transfer,
  });
  if (ran.code !== 0 && /Not possible to fast-forward|divergent branches/i.test(ran.stderr))
    throw new GitError("conflict", `The branch and ${remote.name}/${wanted} have diverged: pull with how merge or rebase.`);
  if (ran.code !== 0 && !/CONFLICT/.test(ran.stdout.toString() + ran.stderr)) throw unreachable(repository, ran, "pull");
  return ran;
}

export interface PushOptions {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  /** Only while the remote is as it was last seen. */
  readonly force: boolean;
  readonly setUpstream: boolean;
  readonly tags: boolean;
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

/** The branch that is meant, which must be there. */
export async function branchToPush(repository: Repository, given: string | undefined, signal?: AbortSignal): Promise<string> {
  const branch = given ?? repository.head().branch;
  if (branch === undefined) throw new GitError("invalid", "HEAD is detached: give the branch to push.");
  checkRefName(branch, "branch");
  const found = await repository.object(`refs/heads/${branch}`, undefined, signal);
  if (typeof found === "string")
    throw new GitError("not-found", `There is no branch "${clip(branch)}" to push; git_branch lists what there is.`);
  return branch;
}

export async function pushTo(
  repository: Repository,
  network: Network,
  allowed: Allowed,
  options: PushOptions,
): Promise<{ remote: string; branch: string; updates: Updated[] }> {
  const { remote: name, force, setUpstream, tags, tell, signal } = options;
  const remote = remoteNamed(repository, name, network);
  const branch = await branchToPush(repository, options.branch, signal);
  const [{ settings, env }, own] = await Promise.all([connected(repository, network), allowances(repository, allowed)]);
  const args = [
    "push",
    "--porcelain",
    "--progress",
    "--no-recurse-submodules",
    "--no-signed",
    allowed.runHooks ? "--verify" : "--no-verify",
    ...(force ? ["--force-with-lease", "--force-if-includes"] : []),
    ...(setUpstream ? ["--set-upstream"] : []),
    ...(tags ? ["--follow-tags"] : []),
    "--",
    remote.name,
    `refs/heads/${branch}:refs/heads/${branch}`,
  ];
  const ran = await repository.try({
    args: await guarded(args),
    settings: [...settings, ...own.settings],
    env: { ...own.env, ...env },
    signal,
    timeoutMs: TRANSFER_MS,
    onStderr: progressReader(tell),
  });
  const updates = pushed(ran.stdout.toString());
  const rejected = updates.find((update) => update.rejected);
  if (rejected !== undefined)
    throw new GitError(
      "conflict",
      `The remote refused ${rejected.to}: ${rejected.summary}. ${/stale info|fetch first|non-fast-forward|remote ref updated/.test(rejected.summary) ? "Fetch, bring your commits on top (git_pull), and push again." : saidThere(repository, ran.stderr)}`.trim(),
    );
  if (ran.code !== 0) throw unreachable(repository, ran, "push");
  return { remote: remote.name, branch, updates };
}

/** `*\trefs/heads/a:refs/heads/a\t[new branch]` */
function pushed(said: string): Updated[] {
  return said.split("\n").flatMap((line) => {
    const [, flag, from = "", to = "", summary = ""] = /^([ +\-*!=])\t([^:\t]*):([^\t]*)\t(.*)$/.exec(line) ?? [];
    return flag === undefined ? [] : [{ summary: summary.replaceAll(/[[\]]/g, ""), from, to, rejected: flag === "!" }];
  });
}

function unreachable(repository: Repository, ran: Ran, what: string): GitError {
  const said = plain(repository, withoutProgress(ran.stderr));
  if (
    /Authentication failed|could not read Username|Permission denied \(publickey|terminal prompts disabled|Host key verification failed/i.test(
      ran.stderr,
    )
  )
    return new GitError(
      "failed",
      `The remote let nobody in: this server never asks for passwords. Set up a credential helper or an ssh key with git itself, and try again. git says: ${said}`,
    );
  if (/transport '[^']*' not allowed/.test(ran.stderr))
    return new GitError("denied", `Refused: this protocol is not allowed here. git says: ${said}`);
  return failure(repository, { ...ran, stderr: withoutProgress(ran.stderr) }, [what]);
}

/** What the remote itself says, such as its hooks, which know why. */
function saidThere(repository: Repository, stderr: string): string {
  const lines = withoutProgress(stderr).split("\n");
  const said = lines.flatMap((line) => /^remote: (.*\S)/.exec(line)?.[1] ?? []).join("\n");
  return said === "" ? "" : `The remote says: ${plain(repository, said)}`;
}

const withoutProgress = (said: string): string =>
  said
    .split(/[\r\n]+/)
    .filter((line) => !/^(?:remote: )?[A-Z][A-Za-z ]+:\s+\d+%/.test(line))
    .join("\n");
