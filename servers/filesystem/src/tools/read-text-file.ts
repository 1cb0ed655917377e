// read_text_file, and read_file, its name of old.
import { jsonStringBytes } from "@oarlock/domain-kit";
import { text, tool, type ToolDefinition } from "@oarlock/server-kit";
import type { Area } from "../disk/access/area.ts";
import { after } from "../at-once.ts";
import { readText, type TextRead } from "../disk/read/text-reader.ts";
import { linkTo } from "../file-link.ts";
import { textRoom, type Parts } from "../dependencies.ts";
import { choice, count, flag, object, path, result, z } from "../schema.ts";

const input = () =>
  object({
    path,
    head: count("Only the first N lines"),
    tail: count("Only the last N lines"),
    offset: count("First line, from 1"),
    limit: count("How many lines from there"),
    lineNumbers: flag("Number the lines"),
    encoding: z.optional(choice(["utf-8", "utf-16le", "utf-16be", "latin1", "windows-1252"], "Instead of the detected one")),
  });

const output = () =>
  result({
    content: z.string(),
    encoding: z.string(),
    startLine: z.optional(z.int()),
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
      run({ path: given, lineNumbers, ...wanted }, ctx) {
        const room = textRoom(maxResultBytes);
        const read = (area: Area, maxBytes: number) =>
          readText(area, given, {
            ...wanted,
            maxBytes,
            numbered: lineNumbers,
            asker: ctx,
          });
        return after(folders.of(ctx), (area) =>
          after(
            fitting((maxBytes) => read(area, maxBytes), lineNumbers, room, Math.floor(room / 2.2)),
            (fitted) =>
              resultOf(
                fitted,
                Object.values(wanted).every((option) => option === undefined),
                wanted.tail !== undefined,
              ),
          ),
        );
      },
    });

export const readTextFile = make(
  "read_text_file",
  "Read text file",
  "Read a file as text: whole, its first (head) or last (tail) lines, or a range (offset, limit). Detects the encoding and gives an etag for write_file and edit_file. A cut reply says where to go on.",
);

const older = make("read_file", "Read file (older name)", "The older name of read_text_file.");

/** Takes all arguments of read_text_file, and lists those that it always had: each of them costs in every list. */
export const readFile = (parts: Parts): ToolDefinition => {
  const full = older(parts);
  const listing = (): ReturnType<ToolDefinition["listing"]> => ({
    ...full.listing(),
    inputSchema: fewer.input,
    outputSchema: fewer.output,
  });
  return { ...full, listing };
};

const fewer = {
  input: {
    type: "object",
    properties: {
      path: { type: "string", description: "File path" },
      head: { type: "integer", minimum: 1, description: "Only the first N lines" },
      tail: { type: "integer", minimum: 1, description: "Only the last N lines" },
    },
    required: ["path"],
  },
  output: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
} as const;

interface Fitted {
  readonly read: TextRead;
  readonly content: string;
}

type Reading = (maxBytes: number) => TextRead | Promise<TextRead>;

/** What is too heavy in escapes is read again, smaller. */
function fitting(reading: Reading, lineNumbers: boolean, room: number, maxBytes: number): Fitted | Promise<Fitted> {
  return after(reading(maxBytes), (read) => {
    const content = lineNumbers ? numbered(read) : read.content;
    // It goes out twice: for the model, and in the structured result. No unit of a string takes more than six bytes.
    if (maxBytes < 64 || 12 * content.length + 4 <= room) return { read, content };
    const bytes = 2 * jsonStringBytes(content);
    if (bytes <= room) return { read, content };
    return fitting(reading, lineNumbers, room, Math.floor(maxBytes * Math.min(0.9, room / bytes)));
  });
}

/** A whole file that does not fit comes with a link, for hosts that can fetch it past the model. */
function resultOf({ read, content }: Fitted, whole: boolean, fromEnd: boolean) {
  const { path, encoding, bom, lineEnding, size, etag, truncated, startLine, endLine, totalLines, nextOffset } = read;
  const facts = { path, encoding, lineEnding, bom, startLine, endLine, totalLines, size, etag, truncated, nextOffset };
  const said = content + notice(read, fromEnd);
  const rest = truncated && whole ? linkTo(path, size) : undefined;
  return { content: rest === undefined ? said : [text(said), rest], structured: { content, ...facts } };
}

function numbered({ content, startLine = 1 }: TextRead): string {
  if (startLine === 0) return ""; // a file without lines
  const lines = content.split(/(?<=\n)/);
  return lines.map((line, at) => `${String(startLine + at).padStart(6)}\t${line}`).join("");
}

function notice({ truncated, nextOffset, lineCut }: TextRead, fromEnd: boolean): string {
  if (!truncated) return "";
  const missing = fromEnd ? "not all of these lines fit, and the first ones are missing" : "more follows";
  const cut = lineCut ? "this line is longer than one reply can hold and was cut" : missing;
  return `\n[truncated: ${cut}${nextOffset === undefined ? "" : `; go on with offset ${nextOffset}`}]`;
}
