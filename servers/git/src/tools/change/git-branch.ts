// git_branch: lists branches, renames them, and deletes them, unmerged ones after the user confirmed.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { listBranches, type Branch, type BranchList, type BranchType } from "../../repo/refs/branches.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import type { Repository } from "../../repo/repository.ts";
import { items, z, result, repo_path, optionalWord, object, count, choice } from "../../schema.ts";
import { brokenRefsNotice } from "../broken-refs.ts";
import { hintsOf } from "../read-only-variant.ts";
import { takeLines, toObjects } from "../structured.ts";
import { removeBranch, rename } from "./branch-actions.ts";

const DEFAULT_LIMIT = 1000;
/** Names of branches that are not merged, beside a list of merged ones. */
const MAX_UNMERGED = 20;
/** A branch in text and structured content, with long names. */
const ENTRY_BYTES = 900;

export const gitBranch = (deps: Dependencies) =>
  tool({
    name: "git_branch",
    title: "Branches",
    description: deps.readOnly
      ? "List branches with their upstream and last commit."
      : "List, rename or delete branches; unmerged ones only after the user confirmed.",
    input: () =>
      object({
        repo_path,
        action: z._default(choice(deps.readOnly ? ["list"] : ["list", "rename", "delete"], "What to do"), "list"),
        name: optionalWord("rename, delete: branch; rename: default current"),
        new_name: optionalWord("rename: new name"),
        branch_type: z._default(choice(["local", "remote", "all"], "Which"), "local"),
        contains: optionalWord("With this commit"),
        not_contains: optionalWord("Without this commit"),
        merged: optionalWord("Merged into this"),
        sort: z._default(choice(["name", "date"], "Order"), "name"),
        limit: count(`Default ${DEFAULT_LIMIT}`),
      }),
    output: () =>
      result({
        branches: z.optional(items()),
        truncated: z.optional(z.boolean()),
      }),
    hints: hintsOf(deps, { destructive: true, idempotent: false }),
    async run({ repo_path: repoPath, action, name, new_name: newName, ...options }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (action === "list") return list(deps, repository, options, ctx.signal);
      if (action === "rename") return rename(repository, name, newName, ctx.signal);
      if (name === undefined) throw new GitError("invalid", "name is missing: give the branch to delete.");
      return removeBranch(deps, repository, name, ctx);
    },
  });

interface ListArguments {
  readonly branch_type: BranchType;
  readonly contains?: string | undefined;
  readonly not_contains?: string | undefined;
  readonly merged?: string | undefined;
  readonly sort: "name" | "date";
  readonly limit?: number | undefined;
}

async function list(
  deps: Dependencies,
  repository: Repository,
  { branch_type: type, not_contains, sort, limit, ...filters }: ListArguments,
  signal: AbortSignal,
) {
  const idOf = async (revision: string | undefined) => (revision === undefined ? undefined : resolveCommit(repository, revision, signal));
  const [contains, notContains, merged] = await Promise.all([filters.contains, not_contains, filters.merged].map(idOf));
  const maxBranches = Math.min(limit ?? DEFAULT_LIMIT, Math.floor(deps.maxResultBytes / ENTRY_BYTES));
  const wanted = { type, contains, notContains, sort, signal };
  const all = await listBranches(repository, { ...wanted, merged, limit: maxBranches });
  const others = merged === undefined ? undefined : await listBranches(repository, { ...wanted, notMerged: merged, limit: MAX_UNMERGED });
  const branches = takeLines(all.branches, limit, (branch) => branchLine(branch, type));
  const list = { ...all, branches, hasMore: all.hasMore || branches.length < all.branches.length };
  const { broken, hasMore, detached } = list;
  return {
    content: [listText(list, type), ...unmergedLine(others, type)].join("\n"),
    structured: {
      branches: toObjects(branches),
      ...(detached !== undefined && { detached }),
      ...(broken.length > 0 && { broken: broken.slice(0, maxBranches) }),
      truncated: hasMore,
    },
  };
}

function listText({ branches, broken, hasMore, detached }: BranchList, type: BranchType): string {
  return [
    ...(detached !== undefined && type !== "remote" ? [`* (HEAD detached at ${detached.slice(0, 7)})`] : []),
    ...branches.map((branch) => branchLine(branch, type)),
    ...(hasMore ? [`[truncated: there are more than ${branches.length}; a higher limit lists more]`] : []),
    ...brokenRefsNotice(broken),
  ].join("\n");
}

/** A list of merged branches is often read to find the others. */
function unmergedLine(others: BranchList | undefined, type: BranchType): string[] {
  if (others === undefined || others.branches.length === 0) return [];
  const names = others.branches.map((branch) => branchLine(branch, type).slice(MARK_LENGTH));
  return [`[not merged: ${names.join(", ")}${others.hasMore ? " and more" : ""}]`];
}

/** The mark before a name and the blank behind it. */
const MARK_LENGTH = 2;

function branchLine({ name, current, remote, worktree }: Branch, type: BranchType): string {
  const mark = current ? "*" : worktree === undefined ? " " : "+";
  return `${mark} ${remote && type === "all" ? "remotes/" : ""}${escapeControls(name)}`;
}
