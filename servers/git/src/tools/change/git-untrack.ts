// git_untrack: stops tracking files and keeps them.
import { tool } from "@oarlock/server-kit";
import { escapeControls, reportChange } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { untrackFiles, type Untracked } from "../../repo/worktree/entries/untracking.ts";
import { files, object, repo_path, result, z } from "../../schema.ts";

const MAX_NAMED = 20;
/** A path in structured content. */
const ENTRY_BYTES = 300;

export const gitUntrack = (deps: Dependencies) =>
  tool({
    name: "git_untrack",
    title: "Stop tracking",
    description: "Stop tracking files, and keep them.",
    input: () => object({ repo_path, paths: files("Literal paths") }),
    output: () => result({ untracked: z.array(z.string()) }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, paths: wanted }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const done = await untrackFiles(repository, wanted, ctx.signal);
      reportChange(done.paths);
      const { paths } = done;
      const listed = paths.slice(0, Math.floor(deps.maxResultBytes / ENTRY_BYTES));
      return {
        content: replyText(done),
        structured: { untracked: listed, ...(listed.length < paths.length && { truncated: true, total: paths.length }) },
      };
    },
  });

const namesOf = (paths: readonly string[]): string =>
  paths.slice(0, MAX_NAMED).map(escapeControls).join(", ") + (paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "");

function replyText({ paths, unignored }: Untracked): string {
  return [
    `No longer tracked, kept as ${paths.length === 1 ? "a file" : "files"}: ${namesOf(paths)}`,
    "The next commit records it; whoever pulls that commit loses their copy. git_reset with files takes it back.",
    ...(unignored.length > 0
      ? [`No .gitignore names ${namesOf(unignored)}: git_add ["."] would stage ${unignored.length === 1 ? "it" : "them"} again.`]
      : []),
  ].join("\n");
}
