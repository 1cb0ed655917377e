// read_text_file, and read_file, its name of old.
import { tool, type ToolDefinition } from "@oarlock/server-kit";
import type { Area } from "../disk/door.ts";
import { readText, type ReadOptions, type TextRead } from "../disk/read.ts";
import { wireBytes } from "../disk/weight.ts";
import type { Parts } from "../parts.ts";
import { choice, count, flag, object, path, z } from "../schema.ts";

const input = () =>
  object({
    path,
    head: count("Only the first N lines"),
    tail: count("Only the last N lines"),
    offset: count("First line to give, from 1"),
    limit: count("How many lines from there"),
    lineNumbers: flag("Put its number before each line"),
    encoding: z.optional(choice(["utf-8", "utf-16le", "utf-16be", "latin1", "windows-1252"], "Read as this instead of what is detected")),
  });

const output = () =>
  object({
    content: z.string(),
    path: z.string(),
    encoding: z.string(),
    lineEnding: z.string(),
    bom: z.boolean(),
    startLine: z.optional(z.int()),
    endLine: z.optional(z.int()),
    totalLines: z.optional(z.int()),
    size: z.int(),
    etag: z.string(),
    truncated: z.boolean(),
    nextOffset: z.optional(z.int()),
  });

const make =
  (name: string, title: string, description: string) =>
  ({ folders, maxResultBytes }: Parts): ToolDefinition =>
    tool({
      name,
      title,
      description,
      input,
      output,
      hints: { readOnly: true, openWorld: false },
      async run({ path: given, lineNumbers, ...options }, ctx) {
        const { content, note, read } = await fitting(
          await folders.of(ctx),
          given,
          { ...options, signal: ctx.signal },
          lineNumbers,
          maxResultBytes,
        );
        const { encoding, bom, lineEnding, size, etag, truncated, startLine, endLine, totalLines, nextOffset } = read;
        const structured = {
          content,
          path: read.path,
          encoding,
          lineEnding,
          bom,
          startLine,
          endLine,
          totalLines,
          size,
          etag,
          truncated,
          nextOffset,
        };
        return { content: content + note, structured };
      },
    });

export const readTextFile = make(
  "read_text_file",
  "Read text file",
  "Read a file as text: whole, its first (head) or last (tail) lines, or a range (offset, limit). Detects the encoding, counts lines as people do, and gives an etag to pass to write_file or edit_file. A reply that had to be cut says where to go on.",
);

export const readFile = make("read_file", "Read file (older name)", "The older name of read_text_file.");

/** The content goes out twice; what is too heavy in escapes is read again, smaller. */
async function fitting(area: Area, path: string, options: ReadOptions, lineNumbers: boolean, maxResultBytes: number) {
  const room = maxResultBytes - 4096;
  let maxBytes = Math.floor(room / 2.2);
  for (;;) {
    const read = await readText(area, path, { ...options, maxBytes });
    const content = lineNumbers ? numbered(read) : read.content;
    const weight = 2 * wireBytes(content);
    if (weight <= room || maxBytes < 64) return { read, content, note: notice(read) };
    maxBytes = Math.floor(maxBytes * Math.min(0.9, room / weight));
  }
}

function numbered({ content, startLine = 1 }: TextRead): string {
  const lines = content.split(/(?<=\n)/);
  return lines.map((line, at) => `${String(startLine + at).padStart(6)}\t${line}`).join("");
}

function notice({ truncated, nextOffset, lineCut }: TextRead): string {
  if (!truncated) return "";
  const cut = lineCut ? "this line is longer than one reply can hold and was cut" : "more follows";
  return `\n[truncated: ${cut}${nextOffset === undefined ? "" : `; go on with offset ${nextOffset}`}]`;
}
