// git_tag: list, create and, after a yes, delete tags.
import { tool } from "@oarlock/server-kit";
import { brokenLine } from "../../repo/refs/ref-list.ts";
import { GitError } from "../../repo/errors.ts";
import { shown } from "../../repo/text/file-names.ts";
import { createTag, deleteTag, listTags, tagObject } from "../../repo/refs/tags.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, count, maybe, object, repo_path, result, text, z } from "../../schema.ts";

const LIMIT = 500;

export const gitTag = (parts: Parts) =>
  tool({
    name: "git_tag",
    title: "Tags",
    description: "List tags, newest first, create one (with message: annotated), or delete one after a yes.",
    input: () =>
      object({
        repo_path,
        action: choice(["list", "create", "delete"], "What to do"),
        name: maybe("Tag; for list a part of its name"),
        target: maybe("create: what to tag, HEAD unless given"),
        message: z.optional(text("create: message")),
        limit: count(`list: the most, ${LIMIT} unless given`),
      }),
    output: () => result({ tags: z.optional(z.array(z.looseObject({ name: z.string(), commit: z.string() }))), done: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: where, action, name, target, message, limit = LIMIT }, ctx) {
      const repository = await opened(parts, ctx, where);
      const { signal } = ctx;
      if (action === "list") {
        const most = Math.min(limit, Math.floor(parts.maxResultBytes / 800));
        const { tags, broken, more } = await listTags(repository, { pattern: name, limit: most, signal });
        const lines = tags.map((tag) => `${shown(tag.name)} ${tag.commit.slice(0, 12)} ${tag.date.slice(0, 10)} ${shown(tag.subject)}`);
        if (more) lines.push("[truncated: there are more; a higher limit lists them]");
        lines.push(...brokenLine(broken));
        return {
          content: lines.length === 0 ? "There are no tags" : lines.join("\n"),
          structured: {
            tags: tags.map((tag) => ({ ...tag })),
            done: true,
            truncated: more,
            ...(broken.length > 0 && { broken: broken.slice(0, most) }),
          },
        };
      }
      if (name === undefined) throw new GitError("invalid", "name is missing: the tag.");
      if (action === "create") {
        const commit = (await repository.resolve(target ?? "HEAD", signal)).oid;
        await createTag(repository, { name, commit, message, signal }, parts);
        const unsigned = parts.sign ? "" : "\nThe tag is unsigned; --sign at the start of the server signs tags.";
        return {
          content: `Created tag '${name}' at ${commit}${message === undefined ? "" : unsigned}`,
          structured: { done: true, name, commit, signed: parts.sign },
        };
      }
      const hash = await tagObject(repository, name, signal);
      await mayDiscard(parts, ctx, `Delete the tag ${name} of ${repository.name}`);
      await deleteTag(repository, name, signal);
      return { content: `Deleted tag '${name}' (was ${hash})`, structured: { done: true, name, hash } };
    },
  });
