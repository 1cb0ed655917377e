// read_text_file, and read_file, its older name.
import { EncodedJson, encodedText, text, tool, type ToolDefinition } from "@oarlock/server-kit";
import { MAX_LINE_BYTES, textBudget, type Dependencies } from "../../dependencies.ts";
import { readTextWithin } from "../../disk/read/reply-text.ts";
import type { TextRead } from "../../disk/read/text-reader.ts";
import { fileLink } from "../../file-link.ts";
import { factsLine } from "../../replies/text-facts.ts";
import { count, encoding, flag, object, path, position, result, z } from "../../schema.ts";

const head = count("First N lines");
const tail = count("Last N lines");

const input = () =>
  object({
    path,
    head,
    tail,
    offset: count("First line, from 1"),
    limit: count("How many lines"),
    startColumn: count("First character"),
    endColumn: count("Last character"),
    byteOffset: position("First byte, from 0"),
    byteLimit: count("How many bytes"),
    lineNumbers: flag("Number lines"),
    encoding,
  });

const output = () =>
  result({
    content: z.string(),
    encoding: z.string(),
    etag: z.string(),
    truncated: z.boolean(),
    nextOffset: z.optional(z.int()),
  });

const hints = { readOnly: true, openWorld: false } as const;

const textFileTool = (
  name: string,
  title: string,
  description: string,
  { sandboxes, isLean, maxResultBytes }: Dependencies,
): ToolDefinition =>
  tool({
    name,
    title,
    description,
    input,
    output,
    hints,
    async run({ path: given, lineNumbers, ...part }, ctx) {
      const sandbox = await sandboxes.of(ctx);
      const options = { ...part, numbered: lineNumbers, maxLineBytes: MAX_LINE_BYTES, asker: ctx };
      const { read, json } = await readTextWithin(sandbox, given, options, textBudget(maxResultBytes));
      const { path: real, encoding, bom, lineEnding, size, etag, truncated, startLine, endLine, totalLines, nextOffset, damage } = read;
      const { startColumn, nextColumn, bytes: [byteOffset, nextByte = size] = [] } = read;
      const nextByteOffset = nextByte < size ? nextByte : undefined;
      const facts = JSON.stringify({
        path: real,
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
        startColumn,
        nextColumn,
        byteOffset,
        nextByteOffset,
        damage,
      });
      const message = encodedText(withNotice(json, truncationNotice(read, part.tail !== undefined), part.tail !== undefined));
      // A complete file that does not fit comes with a link, for hosts that can fetch it without the model.
      const isComplete = Object.values(part).every((option) => option === undefined);
      const link = truncated && isComplete ? fileLink(real, size) : undefined;
      const line = text(factsLine({ ...read, lines: totalLines }));
      const content = link === undefined ? [message, line] : [message, link, line];
      // The text is serialized once for its two places in the reply: 1 MiB takes half the time.
      return { content, structured: new EncodedJson(isLean ? facts : `{"content":${json},${facts.slice(1)}`) };
    },
  });

export const readTextFile = (dependencies: Dependencies): ToolDefinition =>
  textFileTool(
    "read_text_file",
    "Read text file",
    "Read a file as text: whole, or a part. Detects the encoding; gives an etag. Hosts may cut over 60 KB: read ranges.",
    dependencies,
  );

/** Takes all arguments of read_text_file, and lists only those that it always had, because each one costs in every list of tools. */
export const readFile = (dependencies: Dependencies): ToolDefinition => {
  const full = textFileTool("read_file", "Read file (older name)", "The older name of read_text_file.", dependencies);
  const brief = tool({
    name: "read_file",
    input: () => object({ path, head, tail }),
    output: () => result({ content: z.string() }),
    hints,
    run: () => ({ content: "" }),
  }).listing();
  const schemas = { inputSchema: brief.inputSchema, ...(brief.outputSchema && { outputSchema: brief.outputSchema }) };
  return { ...full, listing: () => ({ ...full.listing(), ...schemas }) };
};

function truncationNotice(read: TextRead, isTail: boolean): string | undefined {
  const { truncated, nextOffset, lineCut, startLine = 1, nextColumn, bytes } = read;
  if (!truncated) return undefined;
  if (bytes !== undefined) return `[truncated: more follows; go on with byteOffset ${bytes[1]}]`;
  const missing = isTail ? "not all of these lines fit, and the first ones are missing" : "more follows";
  const reason = lineCut ? "this line is long and was cut" : missing;
  if (lineCut && isTail) return `[truncated: ${reason}: this is its end; read it from its start with offset, and startColumn to go on]`;
  if (nextColumn === undefined) return `[truncated: ${reason}${nextOffset === undefined ? "" : `; go on with offset ${nextOffset}`}]`;
  const skip = nextOffset === undefined ? "" : `; the next line is offset ${nextOffset}`;
  return `[truncated: ${reason}; go on with offset ${startLine} and startColumn ${nextColumn}${skip}]`;
}

/** The notice is the first line, because a host may cut the end of a long text. Where the text breaks off, a word marks it. */
function withNotice(json: string, notice: string | undefined, isTail: boolean): string {
  if (notice === undefined) return json;
  const inside = JSON.stringify(notice).slice(1, -1);
  return `"${inside}\\n${json.slice(1, -1)}${isTail ? "" : "\\n[truncated]"}"`;
}
