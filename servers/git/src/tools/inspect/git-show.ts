// git_show: a commit with its changes, or a file or folder as it was in a revision.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { isUtf8 } from "node:buffer";
import { commitText } from "../../repo/history/commit-record.ts";
import { nameOf, shown } from "../../repo/text/file-names.ts";
import type { Repository } from "../../repo/repository.ts";
import { entriesOfTree, objectAt, showCommit } from "../../repo/history/show.ts";
import { wireBytes } from "../../repo/text/json-size.ts";
import { budgetOf, diffArguments, diffReply } from "../diff-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { file, object, result, word, z } from "../../schema.ts";

export const gitShow = (parts: Parts) =>
  tool({
    name: "git_show",
    title: "Show a commit or file",
    description: "Show a commit and its changes, or with path a file or folder as it was then.",
    input: () => {
      const { repo_path, paths: _paths, ...rest } = diffArguments();
      return object({
        repo_path,
        revision: word("Commit, branch or tag"),
        path: z.optional(file("Show this file or folder of the revision")),
        ...rest,
      });
    },
    output: () => result({ hash: z.string(), truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: where, revision, path, format, context_lines: contextLines, max_bytes: maxBytes, cursor }, ctx) {
      const repository = await opened(parts, ctx, where);
      const { maxBytes: budget, maxWire } = budgetOf(parts, maxBytes);
      const named = path === undefined ? /^([^:]+):(.*)$/.exec(revision) : null;
      if (path !== undefined || (named !== null && !revision.startsWith(":"))) {
        const hash = await repository.commit(named?.[1] ?? revision, ctx.signal);
        return fileAt(repository, { hash, path: path ?? (named?.[2] || "."), most: Math.min(maxBytes ?? 1_000_000, maxWire) }, ctx);
      }
      const hash = await repository.commit(revision, ctx.signal);
      const { commit, diff } = await showCommit(repository, hash, {
        contextLines,
        format,
        maxBytes: budget,
        maxWire,
        cursor,
        signal: ctx.signal,
      });
      const { text, structured } = diffReply(parts, diff, format);
      // Further pages do not tell the message again.
      const { body, ...head } = commit;
      const message = cursor === undefined ? body : "";
      const cut = commit.clipped === true ? "\n[truncated: the message is longer]" : "";
      return {
        content: `${commitText({ ...commit, body: message })}\n${text}${cut}`,
        structured: { ...head, body: message, ...structured, truncated: structured.truncated || commit.clipped === true },
      };
    },
  });

async function fileAt(
  repository: Repository,
  { hash, path, most }: { hash: string; path: string; most: number },
  { signal }: InteractiveContext,
) {
  const found = await objectAt(repository, hash, path, most + 1, signal);
  const facts = { hash, path: found.path, oid: found.oid, type: found.type, size: found.size };
  const cut = found.size > most;
  if (found.type === "tree") {
    const entries = entriesOfTree(found.bytes, hash.length / 2).map(({ name, ...entry }) => ({ ...entry, name: nameOf(name) }));
    const content = entries.map(({ mode, type, hash: id, name }) => `${mode} ${type} ${id}\t${shown(name)}`).join("\n");
    return { content: content + (cut ? "\n[truncated: the folder holds more]" : ""), structured: { ...facts, entries, truncated: cut } };
  }
  const bytes = found.bytes.subarray(0, most);
  const end = cut ? wholeCharacters(bytes) : bytes.length;
  const text = bytes.subarray(0, end);
  if (!text.includes(0) && isUtf8(text)) {
    let content = text.toString("utf8");
    let truncated = cut;
    while (wireBytes(content) > most * 1.2 && content.length > 64) {
      content = content.slice(0, Math.floor(content.length / 2));
      truncated = true;
    }
    return {
      content: content + (truncated ? `\n[truncated: ${found.size} bytes in all; a higher max_bytes shows more]` : ""),
      structured: { ...facts, truncated },
    };
  }
  const base64 = bytes.subarray(0, Math.floor(most * 0.7)).toString("base64");
  const truncated = cut || bytes.length > most * 0.7;
  return {
    content: `${shown(found.path)}: ${found.size} bytes that are no UTF-8 text; they are in the structured result as base64.`,
    structured: { ...facts, base64, truncated },
  };
}

/** Where the last whole character ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let end = bytes.length; end > bytes.length - 4 && end > 0; end--)
    if (isUtf8(bytes.subarray(Math.max(0, end - 64), end)) || isUtf8(bytes.subarray(0, end))) return end;
  return bytes.length;
}
