// Text extraction: finds the format, and reads parts until the text is as long as the caller permits, or one part with its images.
import type { Document, DocumentFormat, DocumentText, ReadOptions, ReadPart } from "./document.ts";
import { DocumentError } from "./document-error.ts";
import { formatOf } from "./formats/format.ts";
import { PartImages } from "./images/part-images.ts";
import { MAX_FILE_BYTES } from "./limits.ts";

const DEFAULT_CHARS = 50_000;

const openers: Readonly<Record<DocumentFormat, (bytes: Uint8Array) => Promise<Document>>> = {
  pdf: async (bytes) => (await import("./formats/pdf.ts")).openPdf(bytes),
  docx: async (bytes) => (await import("./formats/docx.ts")).openDocx(bytes),
  xlsx: async (bytes) => (await import("./formats/xlsx.ts")).openXlsx(bytes),
  pptx: async (bytes) => (await import("./formats/pptx.ts")).openPptx(bytes),
  epub: async (bytes) => (await import("./formats/epub.ts")).openEpub(bytes),
  html: async (bytes) => (await import("./formats/html.ts")).openHtml(bytes),
};

/** In this thread, without a bound of time or memory: for the worker and for tests. Throws a {@link DocumentError}. */
export async function extractText(
  bytes: Uint8Array,
  { part = 1, offset = 0, maxChars = DEFAULT_CHARS, maxImageBytes = 0 }: ReadOptions = {},
): Promise<DocumentText> {
  if (bytes.length > MAX_FILE_BYTES)
    throw new DocumentError("too-large", `Document too large: expected at most ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  const document = await openers[formatOf(bytes)](bytes);
  const { format, unit, title, count } = document;
  if (part > Math.max(count, 1)) throw new DocumentError("no-such-part", `The document has no ${unit} ${part}: expected at most ${count}.`);
  const last = maxImageBytes > 0 ? part : count;
  const text = { format, unit, title, count, ...(await readParts(document, { part, offset, maxChars, last })) };
  if (maxImageBytes <= 0) return text;
  const { images, leftOut } = (await document.images?.(part - 1, maxImageBytes)) ?? new PartImages(0);
  return { ...text, images, imagesLeftOut: leftOut };
}

interface Wanted {
  readonly part: number;
  readonly offset: number;
  readonly maxChars: number;
  /** The last part that is read. */
  readonly last: number;
}

async function readParts(
  { unit, count, read }: Document,
  { part, offset, maxChars, last }: Wanted,
): Promise<Pick<DocumentText, "parts" | "next">> {
  const parts: ReadPart[] = [];
  let room = maxChars;
  for (let number = part; number <= count; number += 1) {
    const from = number === part ? offset : 0;
    if (room <= 0 || number > last) return { parts, next: { part: number, offset: from } };
    const whole = await read(number - 1);
    if (from > whole.text.length)
      throw new DocumentError(
        "no-such-part",
        `The text of ${unit} ${number} has ${whole.text.length} characters: there is no offset ${from}.`,
      );
    const end = cutBefore(whole.text, from + room);
    parts.push({ ...whole, number, text: whole.text.slice(from, end) });
    if (end < whole.text.length) return { parts, next: { part: number, offset: end } };
    room -= end - from;
  }
  return { parts };
}

/** Never between the two halves of a character. */
function cutBefore(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 || end + 1 : end;
}
