// git_commit: commits what is staged, and reports hooks that did not run and a missing signature.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { draftCommitMessage } from "../../commit-draft.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import { commitStaged } from "../../repo/worktree/commit.ts";
import { flag, object, optionalWord, repo_path, result, text, z } from "../../schema.ts";
import { newSkippedPrograms } from "./skipped-programs.ts";

export const gitCommit = (deps: Dependencies) =>
  tool({
    name: "git_commit",
    title: "Commit",
    description: "Commit what is staged. Hooks and signing are off by default.",
    input: () =>
      object({
        repo_path,
        message: text("Blank: the client's model drafts it; amend: the old one stays"),
        amend: flag("Replace the last commit"),
        revision: optionalWord("amend: reword or fix up this unpushed commit"),
        allow_empty: flag("Commit without changes"),
        author: optionalWord("Name <email>"),
      }),
    output: () =>
      result({
        hash: z.string(),
        signed: z.boolean(),
        hooksRun: z.boolean(),
        warnings: z.array(z.string()),
      }),
    // `amend` replaces a commit.
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: repoPath, message: given, amend, revision, allow_empty: allowEmpty, author }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (revision !== undefined && !amend)
        throw new GitError("invalid", "revision goes with amend only: without it, the commit is made on top of the current branch.");
      if (revision !== undefined) {
        const target = await resolveCommit(repository, revision, ctx.signal);
        if (target !== (await repository.headCommit(ctx.signal))) {
          const { amendOlder } = await import("./older-commit.ts");
          return await amendOlder(deps, ctx, repository, { target, message: given, author });
        }
      }
      const isDrafted = given.trim() === "" && !amend && ctx.client.can("sample");
      const message = isDrafted ? await draftCommitMessage(deps, repository, ctx) : given;
      const { hash, additions, deletions, ...facts } = await commitStaged(
        repository,
        { message, amend, allowEmpty, author, signal: ctx.signal },
        deps,
      );
      const warnings = newSkippedPrograms(ctx.client, repository, deps, amend);
      const draft = isDrafted ? ["Message, drafted by the client's model:", message] : [];
      const { branch, filesChanged } = facts;
      const where = branch === undefined ? "On a detached HEAD" : `On ${escapeControls(branch)}`;
      const counts = `${where}: ${counted(filesChanged, "file")} changed, +${additions} -${deletions}`;
      return {
        content: [`Changes committed successfully with hash ${hash}`, counts, ...warnings, ...draft].join("\n"),
        structured: { hash, ...facts, warnings, ...(isDrafted && { message }) },
      };
    },
  });
