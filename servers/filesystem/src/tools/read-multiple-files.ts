// read_multiple_files: several texts in one reply; one that fails does not stop the others.
import { truncateToBytes } from "@oarlock/domain-kit";
import { text, tool, type Block } from "@oarlock/server-kit";
import type { Area } from "../disk/access/area.ts";
import { DiskError } from "../disk/errors.ts";
import { readText, type ReadOptions } from "../disk/read/text-reader.ts";
import { FillingReply, REST, type Told } from "../multi-file-reply.ts";
import { linkTo } from "../file-link.ts";
import type { Parts } from "../dependencies.ts";
import { count, object, result, z } from "../schema.ts";

/** Files in one call. */
const MOST = 1000;
/** Less room than this is not worth a read. */
const LEAST_BYTES = 256;
/** After so long other calls get their turn. */
const TURN_MS = 10;

export const readMultipleFiles = ({ folders, maxResultBytes }: Parts) =>
  tool({
    name: "read_multiple_files",
    title: "Read multiple files",
    description:
      "Read several files as text in one call, each under its path; one that cannot be read says why. Files without room are named and linked.",
    input: () =>
      object({
        paths: z.array(z.string()).check(z.minLength(1), z.maxLength(MOST), z.describe("Paths of the files")),
        head: count("Only the first N lines of each"),
        tail: count("Only the last N lines of each"),
        limit: count("The most lines of each"),
      }),
    output: () =>
      result({
        content: z.string(),
        truncated: z.boolean(),
        omitted: z.optional(z.int()),
        files: z.array(z.looseObject({ path: z.string(), ok: z.boolean(), etag: z.optional(z.string()) })),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ paths, head, tail, limit }, ctx) {
      const area = await folders.of(ctx);
      const reply = new FillingReply(maxResultBytes, paths);
      // Who asks for a part of each goes on by parts.
      const isWhole = [head, tail, limit].every((part) => part === undefined);
      let pause = performance.now() + TURN_MS;
      for (const path of paths) {
        ctx.signal.throwIfAborted();
        if (performance.now() > pause) {
          await new Promise((resolve) => setImmediate(resolve));
          pause = performance.now() + TURN_MS;
        }
        const maxBytes = reply.roomFor(path);
        const read = maxBytes < LEAST_BYTES ? undefined : await one(area, path, { head, tail, limit, maxBytes, asker: ctx });
        const told = read && cut(read, maxBytes, tail !== undefined);
        if (told === undefined) reply.leaveOut(path);
        const isIn = told !== undefined && reply.add(told);
        if (!isIn || (isWhole && told.file.truncated === true)) reply.link(path, () => linkIn(area, path));
        ctx.progress(reply.files.length + reply.omitted, paths.length, path);
      }
      const { files, omitted, content, links } = reply;
      const truncated = omitted > 0 || files.some((file) => file.truncated === true);
      const blocks = links.length > 0 ? [text(content), ...links] : content;
      return {
        content: blocks,
        structured: { content, files: files.map((file) => ({ ...file })), truncated, ...(omitted > 0 && { omitted }) },
      };
    },
  });

interface One {
  /** Absent where it could not be read. */
  readonly content?: string;
  readonly file: Told["file"];
}

/** What is heavy in escapes is shown as far as there is room, as what is long is: else each such file would be read for nothing. */
function cut({ content, file }: One, most: number, fromEnd: boolean): Told {
  const { path, error } = file;
  if (content === undefined) return { text: `${path}: Error - ${error}`, file };
  const shown = truncateToBytes(content, most, fromEnd ? "end" : "start");
  const truncated = file.truncated === true || shown.length < content.length;
  return { text: `${path}:\n${shown}\n${truncated ? REST : ""}`, file: { ...file, truncated } };
}

async function one(area: Area, path: string, options: ReadOptions): Promise<One> {
  try {
    const { content, etag, truncated } = await readText(area, path, options);
    return { content, file: { path, ok: true, etag, truncated } };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return { file: { path, ok: false, error: error.message } };
  }
}

/** What cannot be read gets no link. */
function linkIn(area: Area, path: string): Block | undefined {
  try {
    using file = area.file(path);
    return linkTo(file.path, Number(file.stat.size));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return undefined;
  }
}
