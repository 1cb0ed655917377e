// read_document: the text of PDF, Office, EPUB and HTML files, and the images of a part. In a toolset that is off by default; the package that
// reads them is optional.
import type { DocumentText, PartUnit, readDocument as readInWorker } from "@oarlock/documents";
import { clip, counted, escapeControls } from "@oarlock/domain-kit";
import { image, text, tool, ToolError, type Block } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import type { Sandbox } from "../../disk/access/sandbox.ts";
import { readWhole } from "../../disk/read/byte-reader.ts";
import { importOptional } from "../../optional-package.ts";
import { count, flag, object, path, result, z } from "../../schema.ts";

const PACKAGE = "@oarlock/documents";
const MAX_BYTES = 64 * 1024 * 1024;
/** About what hosts show in full. */
const MAX_CHARS = 40_000;
/** A character has at most six bytes in JSON, and the text is sent twice. */
const BYTES_PER_CHAR = 12;
const FRAME_BYTES = 8_000;

/** What is used of the package, whose types a server without it does not need. */
interface Documents {
  readonly readDocument: typeof readInWorker;
}

export const readDocument = ({ sandboxes, maxResultBytes }: Dependencies) =>
  tool({
    name: "read_document",
    title: "Read document",
    description:
      "Read the text of a PDF, DOCX, XLSX, PPTX, EPUB or HTML file by pages, sheets, slides or chapters. A long one is cut; the reply names the part and offset to go on with. Scans need images.",
    toolset: "documents",
    input: () =>
      object({
        path,
        part: count("First page, sheet, slide or chapter"),
        offset: count("Character in it, to go on"),
        images: flag("That part with its images"),
      }),
    output: () => result({ content: z.string(), format: z.string(), count: z.int() }),
    hints: { readOnly: true, openWorld: false },
    async run({ path: given, part, offset, images }, ctx) {
      const documents = (await importOptional(PACKAGE, "read_document")) as Documents; // the version that is declared as a peer
      const sandbox = await sandboxes.of(ctx);
      const bytes = await bytesOf(sandbox, given, ctx.signal);
      const textBytes = images ? maxResultBytes / 2 : maxResultBytes;
      const maxChars = Math.max(Math.min(MAX_CHARS, Math.floor((textBytes - FRAME_BYTES) / BYTES_PER_CHAR)), 100);
      // Base64 grows by a third.
      const maxImageBytes = images ? Math.max(1, Math.floor((maxResultBytes - FRAME_BYTES - maxChars * BYTES_PER_CHAR) * 0.75)) : 0;
      try {
        const read = await documents.readDocument({ bytes, part, offset, maxChars, maxImageBytes, signal: ctx.signal });
        const content = textOf(read);
        return {
          content: [text(content), ...imagesOf(read)],
          structured: { content, format: read.format, count: read.count, ...(read.next && { next: { ...read.next } }) },
        };
      } catch (error) {
        // An instance of the class in the package, which may be another copy of it.
        if (!(error instanceof Error && error.name === "DocumentError")) throw error;
        const next = images && "code" in error && error.code === "too-large" ? " Its text may be read without images." : "";
        throw new ToolError(`${error.message}${next} (${clip(given)})`);
      }
    },
  });

/** Closes the file before it is parsed: meanwhile another program may replace it, which Windows refuses for an open file. */
async function bytesOf(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  using file = sandbox.file(path);
  return new Uint8Array(await readWhole(file, path, MAX_BYTES, signal));
}

const PLURALS: Readonly<Record<PartUnit, string>> = { page: "pages", sheet: "sheets", slide: "slides", chapter: "chapters", part: "parts" };

function textOf(read: DocumentText): string {
  const { format, unit, title, count: parts, parts: readParts, next } = read;
  const name = title === undefined ? "" : ` "${clip(escapeControls(title), 200)}"`;
  const end = next === undefined ? [] : [`[cut: go on with part ${next.part}${next.offset === 0 ? "" : `, offset ${next.offset}`}]`];
  const texts = readParts.map((part) => {
    const heading = part.title === undefined ? "" : `: ${clip(escapeControls(part.title), 200)}`;
    return parts === 1 && heading === "" ? part.text : `--- ${unit} ${part.number}${heading} ---\n${part.text}`;
  });
  return [`${format.toUpperCase()}${name}, ${counted(parts, unit, PLURALS[unit])}`, ...texts, ...imageNotice(read), ...end].join("\n");
}

const imagesOf = ({ images = [] }: DocumentText): Block[] => images.map(({ data, mimeType }) => image(data, mimeType));

/** What the images after the text do not show. */
function imageNotice({ images, imagesLeftOut: leftOut = 0, unit }: DocumentText): string[] {
  if (leftOut > 0) return [`[${counted(leftOut, "image")} left out: too large, or in a form that is not read]`];
  return images?.length === 0 ? [`[no images in this ${unit} that can be read]`] : [];
}
