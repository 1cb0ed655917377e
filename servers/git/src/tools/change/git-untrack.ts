// git_untrack: stops tracking files and keeps them.
import { tool } from "@oarlock/server-kit";
import { reportChange } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { untrackFiles, type Untracked } from "../../repo/worktree/entries/untracking.ts";
import { files, object, repo_path, result, z } from "../../schema.ts";
import { namesOf } from "../structured.ts";

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

function replyText({ paths, unignored, isCommitted }: Untracked): string {
  const [form, it] = paths.length === 1 ? ["a file", "it"] : ["files", "them"];
  return [
    `No longer tracked, kept as ${form}: ${namesOf(paths)}`,
    "The next commit records it; whoever pulls that commit loses their copy. git_reset with files takes it back.",
    ...(isCommitted ? [`Earlier commits keep ${it} (git_log with paths): replace a password or key that was in ${it}.`] : []),
    ...(unignored.length > 0
      ? [
          `No .gitignore names ${namesOf(unignored)}: write a line there with a file tool, or git_add ["."] stages ${unignored.length === 1 ? "it" : "them"} again.`,
        ]
      : []),
  ].join("\n");
}
