// git_add: stages files for the next commit.
import { tool } from "@oarlock/server-kit";
import { escapeControls, reportChange } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { noticeUnreadAttributes, noticeUnreadIgnores } from "../../repo/limits/unread-settings.ts";
import type { PatchedPaths } from "../../repo/worktree/patch-check.ts";
import type { stagePatch } from "../../repo/worktree/patch-staging.ts";
import { stageFiles, type StageResult } from "../../repo/worktree/staging.ts";
import { choice, files, flag, object, repo_path, result, text, z } from "../../schema.ts";
import { namesOf } from "../structured.ts";

/** A path in text and structured content. */
const ENTRY_BYTES = 500;
const MAX_IGNORED_IN_TEXT = 100;

export const gitAdd = (deps: Dependencies) =>
  tool({
    name: "git_add",
    title: "Stage files",
    description: 'Stage files; ["."] stages everything.',
    input: () =>
      object({
        repo_path,
        files: z._default(files("Literal paths"), []),
        patch: z.optional(text("Hunks of git_diff_unstaged with their headers, in place of files")),
        resolution: z.optional(choice(["ours", "theirs"], "Take this side of conflicts")),
        content: z.optional(text("Whole text of one file in conflict")),
        executable: z.optional(z.boolean()).check(z.describe("Executable bit")),
        dry_run: flag("Only list"),
      }),
    output: () => result({ staged: z.array(z.string()), ignored: z.array(z.string()) }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ repo_path: repoPath, files: wanted, patch, resolution, content, executable, dry_run: dryRun }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (resolution !== undefined || content !== undefined) {
        if (patch !== undefined || executable !== undefined || (resolution !== undefined && content !== undefined))
          throw new GitError("invalid", "resolution, content, patch and executable exclude each other: leave all but one out.");
        const { resolve } = await import("./conflict-reply.ts");
        return await resolve(deps, ctx, repository, { files: wanted, side: resolution, content, dryRun });
      }
      if (patch !== undefined && (wanted.length > 0 || executable !== undefined))
        throw new GitError("invalid", "patch goes without files and executable: leave them out.");
      const patched = patch === undefined ? undefined : await stageHunks(repository, patch, dryRun, ctx.signal);
      const { staged, ignored, outside } =
        patched === undefined
          ? await stageFiles(repository, wanted, { dryRun, executable }, ctx.signal)
          : { staged: patched.paths, ignored: [], outside: [] };
      if (staged.length > 0) noticeUnreadAttributes(repository);
      if (patched === undefined && staged.length > 0) noticeUnreadIgnores(repository, "are staged too");
      if (!dryRun) reportChange(staged);
      const maxPaths = Math.floor(deps.maxResultBytes / ENTRY_BYTES);
      const listed = { staged: staged.slice(0, maxPaths), ignored: ignored.slice(0, maxPaths) };
      return {
        content: replyText({ staged, ignored, outside }, dryRun, maxPaths) + bitNotice(executable, dryRun) + restNotice(patched),
        structured: {
          ...listed,
          ...(outside.length > 0 && { outside: outside.slice(0, maxPaths) }),
          ...(staged.length > maxPaths && { truncated: true, total: staged.length }),
        },
      };
    },
  });

/** Loaded on first use: few files are staged by hunks. */
async function stageHunks(...call: Parameters<typeof stagePatch>): Promise<PatchedPaths> {
  const { stagePatch } = await import("../../repo/worktree/patch-staging.ts");
  return await stagePatch(...call);
}

const bitNotice = (executable: boolean | undefined, dryRun: boolean): string =>
  executable === undefined || dryRun ? "" : `\nExecutable bit ${executable ? "set" : "cleared"}`;

const restNotice = (patched: PatchedPaths | undefined): string =>
  patched === undefined || patched.partial.length === 0 ? "" : `\nOther changes are left in: ${namesOf(patched.partial)}`;

function replyText({ staged, ignored, outside }: StageResult, dryRun: boolean, maxPaths: number): string {
  const names = ignored.slice(0, MAX_IGNORED_IN_TEXT).map(escapeControls).join(", ");
  const left =
    (ignored.length === 0 ? "" : `\nLeft out, excluded by .gitignore or .git/info/exclude: ${names}`) +
    (outside.length === 0
      ? ""
      : `\nLeft out, outside the sparse checkout: ${namesOf(outside)}. git sparse-checkout add with their folder takes them in`);
  if (staged.length === 0 && ignored.length + outside.length > 0) return `Nothing was staged${left}`;
  if (!dryRun && staged.length === 0) return "Files staged successfully\nNothing was new: the files are in the index as they are";
  if (!dryRun) return `Files staged successfully\nStaged: ${namesOf(staged)}${left}`;
  return `Would stage ${staged.length} files:\n${staged.slice(0, maxPaths).map(escapeControls).join("\n")}${left}`;
}
