// Makes a commit of what is staged, and says what was not done: hooks that did not run, a signature that is not there.
import { GitError } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { identityOf } from "./committer-identity.ts";
import { operationOf, underWay } from "./operation.ts";
import type { Repository } from "../repository.ts";
import { allowances, hooksAmong, type Allowed } from "./hooks-and-signing.ts";

export interface CommitOptions {
  readonly message: string;
  readonly amend: boolean;
  readonly allowEmpty: boolean;
  readonly author?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Committed {
  readonly hash: string;
  /** Undefined where HEAD is detached. */
  readonly branch: string | undefined;
  readonly filesChanged: number;
  readonly signed: boolean;
  readonly hooksRun: boolean;
  readonly warnings: readonly string[];
}

const HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-rewrite"];

export async function commitStaged(repository: Repository, options: CommitOptions, allowed: Allowed): Promise<Committed> {
  repository.needsWorkTree();
  const { message, amend, allowEmpty, author, signal } = options;
  if (message.trim() === "") throw new GitError("invalid", "The commit message is empty.");
  if (message.includes("\0")) throw new GitError("invalid", "The commit message holds a NUL character.");
  if (author !== undefined && !/^[^<>\n]*[^<>\n\s][^<>\n]* <[^<>\n]*>$/.test(author))
    throw new GitError("invalid", 'The author has to be written as "Name <email>".');
  const [identity, { settings, env }] = await Promise.all([identityOf(repository, allowed.env), allowances(repository, allowed)]);
  const args = [
    "commit",
    "--file=-",
    "--cleanup=whitespace",
    "--no-edit",
    "--no-status",
    "--no-verbose",
    allowed.sign ? "--gpg-sign" : "--no-gpg-sign",
    ...(amend ? ["--amend"] : []),
    ...(allowEmpty ? ["--allow-empty"] : []),
    ...(author === undefined ? [] : [`--author=${author}`]),
  ];
  // Ids are shown whole in what it says.
  const ran = await repository.try({
    args,
    input: message,
    settings: [...settings, ["core.abbrev", "40"]],
    env: { ...env, ...identity },
    signal,
  });
  if (ran.code !== 0) throw refused(repository, ran);
  const said = ran.stdout.toString();
  const [, where = "", hash = ""] = /^\[([^\n]*?)(?: \(root-commit\))? ([0-9a-f]{40,64})\] /m.exec(said) ?? [];
  const [, files = "0"] = /^ (\d+) files? changed/m.exec(said) ?? [];
  const present = allowed.runHooks ? [] : hooksAmong(repository, HOOKS);
  return {
    hash: hash || ((await repository.headCommit(signal)) ?? ""),
    branch: where === "detached HEAD" ? undefined : where,
    filesChanged: Number(files),
    signed: allowed.sign,
    hooksRun: allowed.runHooks,
    warnings: [
      ...(allowed.runHooks
        ? []
        : [
            `Hooks were not run${present.length === 0 ? " (none are installed)" : `: ${present.join(", ")}`}; --run-hooks at the start of the server runs them.`,
          ]),
      ...(allowed.sign ? [] : ["The commit is unsigned; --sign at the start of the server signs commits."]),
    ],
  };
}

function refused(repository: Repository, ran: Parameters<typeof failure>[1]): GitError {
  const said = ran.stdout.toString();
  if (/nothing to commit|nothing added to commit|no changes added to commit/.test(said))
    return new GitError("invalid", "Nothing is staged: stage files with git_add, or pass allow_empty.");
  if (/You asked to amend the most recent commit, but doing so would make/.test(ran.stderr))
    return new GitError("invalid", "The amended commit would change nothing: stage files with git_add, or pass allow_empty.");
  if (/unmerged|fix conflicts/i.test(said + ran.stderr)) {
    const operation = operationOf(repository) ?? "merge";
    return new GitError(
      "conflict",
      `${underWay(operation)} and files are in conflict: resolve them (git_status lists them under conflicts), stage them with git_add, and commit again.`,
    );
  }
  return failure(repository, ran, ["commit"]);
}
