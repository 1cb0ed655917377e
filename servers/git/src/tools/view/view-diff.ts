// view_diff: the files of a diff with long patches, for the diff view. The patches are in the structured result only.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { counted } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readDiff } from "../../repo/diff/diff.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { wholeTree } from "../../repo/safety/filter-check.ts";
import type { Repository } from "../../repo/repository.ts";
import { choice, cursor, flag, lines, object, optionalWord, paths, repo_path } from "../../schema.ts";
import { diffReply, diffResult, patchBudget } from "../diff-reply.ts";
import { operandsOf } from "../inspect/git-diff.ts";

/** Views show more than a model should read. */
const MAX_BYTES = 400_000;

interface Comparison {
  readonly kind: "unstaged" | "staged" | "revisions" | "commit";
  readonly target?: string | undefined;
  readonly base?: string | undefined;
  readonly mergeBase: boolean;
}

export const viewDiff = (deps: Dependencies) =>
  tool({
    name: "view_diff",
    title: "Files of a diff",
    description: "Get the files of a diff with their patches, for the diff view.",
    input: () =>
      object({
        repo_path,
        kind: choice(["unstaged", "staged", "revisions", "commit"], "What is compared: as the tools for diffs, or the changes of a commit"),
        target: optionalWord("For revisions and commit: branch, commit, a..b or a...b"),
        base: optionalWord("For revisions: compare from here"),
        merge_base: flag("For revisions: from the merge base"),
        context_lines: lines("Around each change", 3),
        paths,
        cursor,
      }),
    output: diffResult,
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run({ repo_path: repoPath, context_lines: contextLines, paths: named, cursor: from, merge_base: mergeBase, ...rest }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const compare = await commandOf(repository, { ...rest, mergeBase }, ctx.signal);
      const budget = patchBudget(deps, MAX_BYTES);
      const options = { compare, contextLines, paths: named, format: "patch" as const, cursor: from, ...budget, signal: ctx.signal };
      const { structured } = diffReply(deps, await readDiff(repository, options), "patch", MAX_BYTES);
      return { content: counted(structured.files.length, "file"), structured };
    },
  });

async function commandOf(repository: Repository, { kind, target, base, mergeBase }: Comparison, signal: AbortSignal): Promise<string[]> {
  if (kind === "unstaged" || kind === "staged") {
    repository.requireWorkTree();
    return kind === "staged" ? ["diff", "--cached"] : ["diff"];
  }
  if (target === undefined) throw new GitError("invalid", `${kind} needs a target: give a branch or a commit.`);
  if (kind === "revisions") return ["diff", ...(await operandsOf(repository, { target, base, mergeBase }, signal))];
  const hash = await resolveCommit(repository, target, signal);
  const parent = await repository.object(`${hash}^1`, undefined, signal);
  return ["diff", ...(typeof parent === "string" ? wholeTree(hash).operands : [parent.oid, hash])];
}
