// git_show: a commit with its changes, or a file or folder as it was in a revision.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readCommitDiff } from "../../repo/diff/commit-diff.ts";
import type { DiffPageOptions } from "../../repo/diff/diff.ts";
import { commitText } from "../../repo/history/commit-record.ts";
import { readAnnotatedTags, tagText } from "../../repo/refs/annotated-tag.ts";
import { resolveCommit } from "../../repo/refs/revision-resolver.ts";
import type { Repository } from "../../repo/repository.ts";
import { file, object, result, word, z } from "../../schema.ts";
import { diffView } from "../../views.ts";
import { diffArguments, diffReply, patchBudget } from "../diff-reply.ts";
import { toObjects } from "../structured.ts";
import { fileReply } from "./file-reply.ts";

export const gitShow = (deps: Dependencies) =>
  tool({
    name: "git_show",
    title: "Show a commit or file",
    description: "Show a commit and its changes, or path as it was then.",
    input: () => {
      const { repo_path, paths: _paths, ...rest } = diffArguments();
      return object({
        repo_path,
        revision: word("Commit, branch or tag"),
        path: z.optional(file("File or folder")),
        ...rest,
      });
    },
    output: () => result({ hash: z.string(), truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: diffView })],
    async run({ repo_path: repoPath, path, format, context_lines: contextLines, max_bytes: maxFileBytes, cursor, ...input }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const { signal } = ctx;
      const budget = patchBudget(deps, maxFileBytes);
      const { revision, path: filePath } = splitRevision(input.revision, path);
      const hash = await resolveCommit(repository, revision, signal);
      if (filePath === undefined)
        return showCommit(deps, repository, { hash, revision }, { contextLines, format, ...budget, cursor, signal }, maxFileBytes);
      return fileReply(repository, { hash, path: filePath, maxBytes: maxFileBytes, largestBytes: budget.maxJsonBytes }, signal);
    },
  });

/** `HEAD:src/a.ts` names a file of a revision, as in git; `:/text` searches for a commit. */
function splitRevision(revision: string, path: string | undefined): { revision: string; path: string | undefined } {
  const [, name, inside] = (path === undefined && /^([^:]+):(.*)$/.exec(revision)) || [];
  return name === undefined ? { revision, path } : { revision: name, path: inside || "." };
}

interface ShownCommit {
  readonly hash: string;
  /** The name by which it was found. */
  readonly revision: string;
}

async function showCommit(
  deps: Dependencies,
  repository: Repository,
  { hash, revision }: ShownCommit,
  options: DiffPageOptions,
  maxBytes?: number,
) {
  const { commit, diff } = await readCommitDiff(repository, hash, options);
  const { text, structured } = diffReply(deps, diff, options.format, maxBytes);
  const tags = options.cursor === undefined ? await readAnnotatedTags(repository, revision, options.signal) : [];
  const isClipped = commit.clipped === true;
  // Only the first page has the message.
  const listed = { ...commit, body: options.cursor === undefined ? commit.body : "" };
  return {
    content: `${tags.map(tagText).join("")}${commitText(listed)}\n${text}${isClipped ? "\n[truncated: the message is longer]" : ""}`,
    structured: {
      ...listed,
      ...structured,
      ...(tags.length > 0 && { tags: toObjects(tags) }),
      truncated: structured.truncated || isClipped,
    },
  };
}
