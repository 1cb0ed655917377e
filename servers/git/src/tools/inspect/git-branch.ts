// git_branch: the branches, local, remote or all.
import { tool } from "@oarlock/server-kit";
import { listBranches, type Branch, type BranchType } from "../../repo/refs/branches.ts";
import { brokenLine } from "../../repo/refs/ref-list.ts";
import { shown } from "../../repo/text/file-names.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { choice, count, maybe, object, repo_path, result, z } from "../../schema.ts";

const LIMIT = 1000;

export const gitBranch = (parts: Parts) =>
  tool({
    name: "git_branch",
    title: "List branches",
    description: "List branches with their upstream and last commit.",
    input: () =>
      object({
        repo_path,
        branch_type: z._default(choice(["local", "remote", "all"], "Which"), "local"),
        contains: maybe("Only those with this commit"),
        not_contains: maybe("Only those without this commit"),
        merged: maybe("Only those merged into this revision"),
        sort: z._default(choice(["name", "date"], "By name, or newest first"), "name"),
        limit: count(`The most, ${LIMIT} unless given`),
      }),
    output: () =>
      result({
        branches: z.array(z.looseObject({ name: z.string(), head: z.string(), current: z.boolean() })),
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: path, branch_type: type, contains, not_contains: notContains, merged, sort, limit = LIMIT }, ctx) {
      const repository = await opened(parts, ctx, path);
      const idOf = async (revision: string | undefined) => (revision === undefined ? undefined : repository.commit(revision, ctx.signal));
      const [has, lacks, into] = await Promise.all([idOf(contains), idOf(notContains), idOf(merged)]);
      const most = Math.min(limit, Math.floor(parts.maxResultBytes / 900));
      const found = await listBranches(repository, {
        type,
        contains: has,
        notContains: lacks,
        merged: into,
        sort,
        limit: most,
        signal: ctx.signal,
      });
      const { branches, broken, more, detached } = found;
      const lines = branches.map((branch) => lineOf(branch, type));
      if (detached !== undefined && type !== "remote") lines.unshift(`* (HEAD detached at ${detached.slice(0, 7)})`);
      if (more) lines.push(`[truncated: there are more than ${most}; a higher limit lists more]`);
      lines.push(...brokenLine(broken));
      return {
        content: lines.join("\n"),
        structured: {
          branches: branches.map((branch) => ({ ...branch })),
          ...(detached !== undefined && { detached }),
          ...(broken.length > 0 && { broken: broken.slice(0, most) }),
          truncated: more,
        },
      };
    },
  });

function lineOf({ name, current, remote, worktree }: Branch, type: BranchType): string {
  const mark = current ? "*" : worktree === undefined ? " " : "+";
  return `${mark} ${remote && type === "all" ? "remotes/" : ""}${shown(name)}`;
}
