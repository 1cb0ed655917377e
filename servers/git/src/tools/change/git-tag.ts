// git_tag: lists and creates tags, and deletes them after the user confirmed.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { resolveObject } from "../../repo/refs/revision-resolver.ts";
import { createTag, deleteTag, listTags, resolveTag, type NewTag, type Tag } from "../../repo/refs/tags.ts";
import type { Repository } from "../../repo/repository.ts";
import { wantsSignature } from "../../repo/worktree/hooks-and-signing.ts";
import { items, z, text, result, repo_path, optionalWord, object, count, choice } from "../../schema.ts";
import { brokenRefsNotice } from "../broken-refs.ts";
import { hintsOf } from "../read-only-variant.ts";
import { takeLines, toObjects } from "../structured.ts";

const DEFAULT_LIMIT = 500;
/** A tag in text and structured content, with long names. */
const ENTRY_BYTES = 800;

export const gitTag = (deps: Dependencies) =>
  tool({
    name: "git_tag",
    title: "Tags",
    description: deps.readOnly
      ? "List tags, newest first."
      : "List tags, newest first, create one (annotated with message), or delete one after the user confirmed.",
    input: () =>
      object({
        repo_path,
        action: choice(deps.readOnly ? ["list"] : ["list", "create", "delete"], "What to do"),
        name: optionalWord("Tag; list: a part of the name"),
        target: optionalWord("create: what to tag, default HEAD"),
        message: z.optional(text("create: message")),
        limit: count(`list: default ${DEFAULT_LIMIT}`),
      }),
    output: () => result({ tags: z.optional(items()), done: z.boolean() }),
    hints: hintsOf(deps, { destructive: true, idempotent: false }),
    async run({ repo_path: repoPath, action, name, target = "HEAD", message, limit }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (action === "list") return list(deps, repository, { pattern: name, limit }, ctx.signal);
      if (name === undefined) throw new GitError("invalid", "name is missing: give the name of the tag.");
      if (action === "delete") return remove(deps, repository, name, ctx);
      const { oid: commit } = await resolveObject(repository, target, ctx.signal);
      return create(deps, repository, { name, commit, message, signal: ctx.signal });
    },
  });

async function list(
  { maxResultBytes }: Dependencies,
  repository: Repository,
  { pattern, limit }: { pattern: string | undefined; limit: number | undefined },
  signal: AbortSignal,
) {
  const maxTags = Math.min(limit ?? DEFAULT_LIMIT, Math.floor(maxResultBytes / ENTRY_BYTES));
  const { tags: found, broken, hasMore: isCut } = await listTags(repository, { pattern, limit: maxTags, signal });
  const tags = takeLines(found, limit, tagLine);
  const hasMore = isCut || tags.length < found.length;
  const lines = [
    ...tags.map(tagLine),
    ...(hasMore ? ["[truncated: there are more; a higher limit lists them]"] : []),
    ...brokenRefsNotice(broken),
  ];
  return {
    content: lines.length === 0 ? "There are no tags" : lines.join("\n"),
    structured: {
      tags: toObjects(tags),
      done: true,
      truncated: hasMore,
      ...(broken.length > 0 && { broken: broken.slice(0, maxTags) }),
    },
  };
}

/** The date of an annotated tag is the one of the tag, not of its commit. */
function tagLine({ name, commit, type, annotated, date, subject }: Tag): string {
  const object = `${type === undefined ? "" : `${type} `}${commit.slice(0, 12)}`;
  const day = date === "" ? "" : ` ${annotated ? "tagged" : "committed"} ${date.slice(0, 10)}`;
  return `${escapeControls(name)} ${object}${day} ${escapeControls(subject)}`.trimEnd();
}

async function create(deps: Dependencies, repository: Repository, tag: NewTag) {
  await createTag(repository, tag, deps);
  const { name, commit, message } = tag;
  const isWanted = wantsSignature(repository, "tag.gpgsign") || wantsSignature(repository, "tag.forcesignannotated");
  const kind = message !== undefined || deps.sign ? "annotated tag" : "tag";
  const isUnsigned = message !== undefined && !deps.sign && isWanted;
  return {
    content: `Created ${kind} '${escapeControls(name)}' at ${commit}${isUnsigned ? "\nThe tag is unsigned; start the server with --sign to sign tags." : ""}`,
    structured: { done: true, name, commit, signed: deps.sign },
  };
}

async function remove(deps: Dependencies, repository: Repository, name: string, ctx: InteractiveContext) {
  const hash = await resolveTag(repository, name, ctx.signal);
  await confirmDiscard(deps, ctx, `Delete the tag ${name} of the repository ${repository.name}`);
  // The user confirmed this state of the tag.
  if ((await resolveTag(repository, name, ctx.signal)) !== hash)
    throw new GitError("conflict", `Not deleted: tag "${escapeControls(name)}" has moved meanwhile. Look at it again with git_show.`);
  await deleteTag(repository, name, ctx.signal);
  return { content: `Deleted tag '${escapeControls(name)}' (was ${hash})`, structured: { done: true, name, hash } };
}
