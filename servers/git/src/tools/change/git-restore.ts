// git_restore: restores files from the index or a revision, after the user confirmed that changes may be lost.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { relativePath } from "../../repo/safety/path-resolver.ts";
import { hasUnstoredContent } from "../../repo/worktree/entries/unstored-content.ts";
import { requireRestorable, restoreFiles } from "../../repo/worktree/restore.ts";
import { listStaged, noFilesGiven } from "../../repo/worktree/staging.ts";
import { files, flag, object, optionalWord, repo_path, result, z } from "../../schema.ts";

const MAX_NAMED = 5;

export const gitRestore = (deps: Dependencies) =>
  tool({
    name: "git_restore",
    title: "Restore files",
    description: "Discard changes: restore files as staged, or from source, after the user confirmed.",
    input: () =>
      object({
        repo_path,
        files: files("Literal paths"),
        source: optionalWord("Restore from this revision"),
        staged: flag("Only the index; the files stay"),
      }),
    output: () => result({ restored: z.array(z.string()), staged: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ repo_path: repoPath, files: wanted, source: revision, staged }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const paths = wanted.map((path) => relativePath(repository, path));
      if (paths.length === 0) throw noFilesGiven();
      const source = revision === undefined ? undefined : await resolveCommit(repository, revision, ctx.signal);
      const names = describe(paths);
      if (!staged) {
        await requireRestorable(repository, { files: wanted, source }, ctx.signal);
        if (!deps.allowDiscard && (await hasUnstoredContent(repository, { files: wanted, source }, ctx.signal)))
          await confirmDiscard(
            deps,
            ctx,
            `Discard the changes in ${names === "." ? "all files" : names} of the repository ${repository.name}`,
          );
      }
      const wereStaged = staged && source === undefined ? await listStaged(repository, wanted, ctx.signal) : undefined;
      await restoreFiles(repository, { files: wanted, source, staged }, ctx.signal);
      return { content: replyText(names, { revision, staged, wereStaged }), structured: { restored: paths, staged } };
    },
  });

interface Restored {
  readonly revision: string | undefined;
  readonly staged: boolean;
  /** Known where files are unstaged. */
  readonly wereStaged: readonly string[] | undefined;
}

function replyText(names: string, { revision, staged, wereStaged }: Restored): string {
  const source = revision === undefined ? undefined : escapeControls(revision);
  if (!staged) return `Restored ${names}${source === undefined ? "" : ` from ${source}`}`;
  if (source !== undefined) return `Staged ${names} as in ${source}; the files stay`;
  return wereStaged?.length === 0 ? `Nothing of ${names} was staged` : `Unstaged ${names}`;
}

function describe(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map(escapeControls).join(", ");
  return paths.length === 1 ? names : `${paths.length} paths (${names}${paths.length > MAX_NAMED ? ", …" : ""})`;
}
