// The prompt resolve_conflicts: the conflicts of a merge, rebase or similar operation.
import { prompt, user } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { completeRepository } from "../completion.ts";
import { openRepository, type Dependencies } from "../dependencies.ts";
import { readStatus } from "../repo/worktree/status.ts";
import { object, optionalWord } from "../schema.ts";
import { patchMessage } from "./material.ts";

const MAX_FILES = 500;
const CONFLICTING = { compare: ["diff", "--diff-filter=U"], range: "unstaged" };

export const resolveConflicts = (deps: Dependencies) =>
  prompt({
    name: "resolve_conflicts",
    title: "Resolve conflicts",
    description: "Resolve the conflicts of a merge, rebase or similar operation that is in progress.",
    args: () => object({ repo: optionalWord("Repository path or name") }),
    complete: { repo: completeRepository(deps) },
    async get({ repo }, ctx) {
      const repository = await openRepository(deps, ctx, repo);
      const { conflicts, operation } = await readStatus(repository, MAX_FILES, ctx.signal);
      if (conflicts.length === 0) {
        const rest = operation === undefined ? "" : `, but a ${operation} is in progress: look at git_status, and finish it`;
        return `No file of ${repository.name} is in conflict${rest}. Tell me so.`;
      }
      const diff = await patchMessage(deps, repository, CONFLICTING, ctx.signal);
      const names = conflicts.map(({ path, status }) => `- ${escapeControls(path)} (${status})`).join("\n");
      const task = `A ${operation ?? "merge"} is in progress in ${repository.name}, and these files are in conflict:\n${names}\n\nFor each file, find out what each side meant (git_log, git_blame, git_show), and propose a content that keeps both meanings, without markers. When I agree, write it, stage it with git_add, and continue.`;
      return [user(task), ...(diff === undefined ? [] : [diff])];
    },
  });
