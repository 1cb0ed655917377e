// Merge, rebase, cherry-pick and revert: begin, go on, skip and give up, with the conflicts that they stop at.
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { conflictsIn, type Conflict } from "./conflicts.ts";
import { GitError, clip } from "../errors.ts";
import { failure, mustNotBeLocked, plain } from "../process/git-failure.ts";
import { identityOf } from "./committer-identity.ts";
import { operationOf, underWay } from "./operation.ts";
import type { Repository } from "../repository.ts";
import type { Ran } from "../process/git-process.ts";
import { allowances, type Allowed } from "./hooks-and-signing.ts";

export type Step = "start" | "continue" | "skip" | "abort";
export type Integration = "merge" | "rebase" | "cherry-pick" | "revert";

export interface Integrated {
  readonly state: "done" | "conflict" | "aborted";
  readonly head: string | undefined;
  readonly conflicts: readonly Conflict[];
  readonly said: string;
}

/** Looked at before anybody is asked whether to give it up, too. */
export function mustBeUnderWay(repository: Repository, what: Integration): void {
  const under = operationOf(repository);
  if (under !== what) throw new GitError("invalid", `There is no ${what} in progress${under === undefined ? "" : `, but a ${under}`}.`);
}

/** Runs one step; `args` are those of the beginning. */
export async function integrate(
  repository: Repository,
  what: Integration,
  step: Step,
  args: readonly string[],
  allowed: Allowed,
  signal?: AbortSignal,
): Promise<Integrated> {
  repository.needsWorkTree();
  const under = operationOf(repository);
  // A search through the history is in nobody's way.
  if (step === "start" && under !== undefined && under !== "bisect") {
    const how =
      under === "am"
        ? "finish it with git itself (git am --continue or --abort)"
        : "finish it with step continue, or give it up with step abort";
    throw new GitError("conflict", `${underWay(under)}: ${how}, before the next.`);
  }
  if (step !== "start") mustBeUnderWay(repository, what);
  if (what === "rebase" && (step === "continue" || step === "skip")) checkPlan(repository);
  const [{ settings, env }, identity] = await Promise.all([
    allowances(repository, allowed),
    step === "abort" ? {} : identityOf(repository, allowed.env),
  ]);
  const how = step === "start" ? args : [`--${step}`];
  const ready = (): void => {
    if (step === "start") mustNotBeLocked(repository);
  };
  const ran = await repository.try({ args: [what, ...how], settings, env: { ...env, ...identity }, ready, signal });
  return outcome(repository, what, step, ran, signal);
}

/** What a command that integrates came to. */
export async function outcome(repository: Repository, what: string, step: Step, ran: Ran, signal?: AbortSignal): Promise<Integrated> {
  const said = plain(repository, `${ran.stdout.toString()}\n${ran.stderr}`);
  const conflicts = ran.code === 0 || operationOf(repository) === undefined ? [] : await conflictsIn(repository, signal);
  const head = await repository.headCommit(signal);
  if (ran.code === 0) return { state: step === "abort" ? "aborted" : "done", head, conflicts, said };
  if (conflicts.length > 0) return { state: "conflict", head, conflicts, said };
  if (/nothing to commit|is now empty|previous cherry-pick is now empty/i.test(said))
    throw new GitError("conflict", `This step changes nothing any more: go on with step skip, or give up with step abort.`);
  throw failure(repository, ran, [what]);
}

const STRATEGIES = new Set(["ort", "recursive", "resolve", "octopus", "ours", "subtree"]);

/** A rebase that somebody else began may hold commands to run. */
function checkPlan(repository: Repository): void {
  const { facts } = repository;
  if (facts.trusted) return;
  const plan = readPlain(join(facts.gitDir, "rebase-merge/git-rebase-todo"));
  if (/^\s*(?:exec|x)\b/im.test(plan))
    throw new GitError(
      "unsafe",
      "Refused: the plan of this rebase runs commands (exec). Finish it with git itself, or give it up with step abort.",
    );
  const strategy = readPlain(join(facts.gitDir, "rebase-merge/strategy")).trim();
  if (strategy !== "" && !STRATEGIES.has(strategy))
    throw new GitError("unsafe", `Refused: this rebase uses the merge program ${clip(strategy, 40)}.`);
}

function readPlain(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size < 4 * 1024 * 1024 ? readFileSync(path, "utf8") : "";
}
