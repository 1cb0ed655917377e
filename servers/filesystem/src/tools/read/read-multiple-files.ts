// read_multiple_files: several texts in one reply; one that cannot be read does not stop the others.
import { clip, TimeSlice, escapeControls, truncateToBytes } from "@oarlock/domain-kit";
import { tool, type Block } from "@oarlock/server-kit";
import { MAX_LINE_BYTES, textsBudget, type Dependencies } from "../../dependencies.ts";
import type { Sandbox } from "../../disk/access/sandbox.ts";
import { DiskError } from "../../disk/errors.ts";
import type { ReadOptions } from "../../disk/read/read-options.ts";
import { readText } from "../../disk/read/text-reader.ts";
import { fileLink } from "../../file-link.ts";
import { MultiFileReply, truncated as truncatedNotice, type FileReply } from "../../replies/multi-file-reply.ts";
import { unusualFacts } from "../../replies/text-facts.ts";
import { count, object, result, z } from "../../schema.ts";

const MAX_FILES = 1000;
/** With less room a file is not worth a read. */
const MIN_BYTES = 256;
/** No path of a file is longer; such a text would fill the reply. */
const MAX_LABEL = 10_000;

export const readMultipleFiles = ({ sandboxes, activity, maxResultBytes }: Dependencies) =>
  tool({
    name: "read_multiple_files",
    title: "Read multiple files",
    description: "Read several files as text. At most 60 KB without head, tail or limit.",
    input: () =>
      object({
        paths: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_FILES), z.describe("File paths")),
        head: count("First N lines of each"),
        tail: count("Last N lines of each"),
        limit: count("Most lines of each"),
      }),
    output: () =>
      result({
        content: z.string(),
        truncated: z.boolean(),
        files: z.array(z.looseObject({ path: z.string(), ok: z.boolean(), etag: z.optional(z.string()) })),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ paths, ...part }, ctx) {
      const sandbox = await sandboxes.of(ctx);
      // A call for a part of each file continues by parts, without links.
      const isComplete = Object.values(part).every((option) => option === undefined);
      const reply = new MultiFileReply(textsBudget(maxResultBytes, !isComplete), paths.map(labelOf));
      const slice = new TimeSlice();
      for (const path of paths) {
        ctx.signal.throwIfAborted();
        if (slice.isOver) await slice.next(ctx.signal);
        const label = labelOf(path);
        const maxBytes = reply.nextBudget(label);
        const file =
          maxBytes < MIN_BYTES
            ? undefined
            : await readOne(sandbox, path, { ...part, maxBytes, maxLineBytes: MAX_LINE_BYTES, asker: ctx }, (error) =>
                activity.refusal(ctx.log, "read_multiple_files", error),
              );
        if (file === undefined) reply.leaveOut(label);
        const hasRoom = file !== undefined && reply.add(file);
        if (!hasRoom || (isComplete && file.file.truncated === true)) reply.link(path, () => linkTo(sandbox, path));
        ctx.progress(reply.files.length + reply.omitted, paths.length, path);
      }
      const { files, omitted, content, blocks } = reply;
      const truncated = omitted > 0 || files.some((file) => file.truncated === true);
      return {
        content: blocks,
        structured: { content, files: files.map((file) => ({ ...file })), truncated, ...(omitted > 0 && { omitted }) },
      };
    },
  });

const labelOf = (path: string): string => clip(path, MAX_LABEL);

/** A text whose characters take more bytes in JSON than in the file is part as far as there is room. */
async function readOne(
  sandbox: Sandbox,
  path: string,
  options: ReadOptions & { readonly maxBytes: number },
  onError: (error: DiskError) => void,
): Promise<FileReply> {
  try {
    const read = await readText(sandbox, path, options);
    const { content, etag, truncated: isCut, nextOffset, startLine = 1, nextColumn } = read;
    const part = truncateToBytes(content, options.maxBytes, options.tail === undefined ? "start" : "end");
    const isShorter = part.length < content.length;
    const truncated = isCut || isShorter;
    const lineAfter = isShorter ? startLine + part.split("\n").length - 1 : nextOffset;
    const next = truncated && options.tail === undefined ? lineAfter : undefined;
    const notice = truncated
      ? truncatedNotice(isShorter || nextColumn === undefined ? next : startLine, isShorter ? undefined : nextColumn)
      : "";
    const file = { path: labelOf(path), ok: true, etag, truncated, ...(next !== undefined && { nextOffset: next }) };
    return { text: `${escapeControls(path)}:\n${part}\n${notice}`, file, facts: unusualFacts({ ...read, etag: undefined }) };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    onError(error);
    const label = labelOf(path);
    return { text: `${escapeControls(label)}: Error - ${error.message}`, file: { path: label, ok: false, error: error.message } };
  }
}

/** Undefined for a file that cannot be read. */
function linkTo(sandbox: Sandbox, path: string): Block | undefined {
  try {
    using file = sandbox.file(path);
    return fileLink(file.path, Number(file.stat.size));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return undefined;
  }
}
