// git_branch: local branches, remote ones, or both.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { listBranches, type Branch, type BranchList, type BranchType } from "../../repo/refs/branches.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { choice, count, object, optionalWord, repo_path, result, z } from "../../schema.ts";
import { brokenRefsNotice } from "../broken-refs.ts";
import { takeLines, toObjects } from "../structured.ts";

const DEFAULT_LIMIT = 1000;
/** A branch in text and structured content, with long names. */
const ENTRY_BYTES = 900;

export const gitBranch = (deps: Dependencies) =>
  tool({
    name: "git_branch",
    title: "List branches",
    description: "List branches with their upstream and last commit.",
    input: () =>
      object({
        repo_path,
        branch_type: z._default(choice(["local", "remote", "all"], "Which"), "local"),
        contains: optionalWord("With this commit"),
        not_contains: optionalWord("Without this commit"),
        merged: optionalWord("Merged into this revision"),
        sort: z._default(choice(["name", "date"], "By name, or newest first"), "name"),
        limit: count(`Default ${DEFAULT_LIMIT}`),
      }),
    output: () =>
      result({
        branches: z.array(z.looseObject({ name: z.string() })),
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: repoPath, branch_type: type, not_contains, sort, limit, ...filters }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const idOf = async (revision: string | undefined) =>
        revision === undefined ? undefined : resolveCommit(repository, revision, ctx.signal);
      const [contains, notContains, merged] = await Promise.all([filters.contains, not_contains, filters.merged].map(idOf));
      const maxBranches = Math.min(limit ?? DEFAULT_LIMIT, Math.floor(deps.maxResultBytes / ENTRY_BYTES));
      const all = await listBranches(repository, { type, contains, notContains, merged, sort, limit: maxBranches, signal: ctx.signal });
      const branches = takeLines(all.branches, limit, (branch) => branchLine(branch, type));
      const list = { ...all, branches, hasMore: all.hasMore || branches.length < all.branches.length };
      const { broken, hasMore, detached } = list;
      return {
        content: listText(list, type),
        structured: {
          branches: toObjects(branches),
          ...(detached !== undefined && { detached }),
          ...(broken.length > 0 && { broken: broken.slice(0, maxBranches) }),
          truncated: hasMore,
        },
      };
    },
  });

function listText({ branches, broken, hasMore, detached }: BranchList, type: BranchType): string {
  return [
    ...(detached !== undefined && type !== "remote" ? [`* (HEAD detached at ${detached.slice(0, 7)})`] : []),
    ...branches.map((branch) => branchLine(branch, type)),
    ...(hasMore ? [`[truncated: there are more than ${branches.length}; a higher limit lists more]`] : []),
    ...brokenRefsNotice(broken),
  ].join("\n");
}

function branchLine({ name, current, remote, worktree }: Branch, type: BranchType): string {
  const mark = current ? "*" : worktree === undefined ? " " : "+";
  return `${mark} ${remote && type === "all" ? "remotes/" : ""}${escapeControls(name)}`;
}
