// Text that fits into a reply: where its characters take more bytes in JSON than in the file, a smaller part is read.
import { jsonStringBytes } from "@oarlock/domain-kit";
import type { Area } from "../access/area.ts";
import { readText, type ReadOptions, type TextRead } from "./text-reader.ts";

export interface ReplyText {
  readonly read: TextRead;
  /** The text of the read, with line numbers where they were wanted. */
  readonly content: string;
}

/** A part of this size is given even where it does not fit. */
const MIN_BYTES = 64;
/** No UTF-16 unit takes more bytes in JSON. */
const MAX_UNIT_BYTES = 6;

/** Reads as much as fits into `budget` bytes: the text is sent twice, for the model and in the structured result. */
export async function readTextWithin(area: Area, path: string, options: Omit<ReadOptions, "maxBytes">, budget: number): Promise<ReplyText> {
  for (let maxBytes = Math.floor(budget / 2.2); ;) {
    const read = await readText(area, path, { ...options, maxBytes });
    const content = options.numbered === true ? withLineNumbers(read) : read.content;
    if (maxBytes < MIN_BYTES || 2 * (MAX_UNIT_BYTES * content.length + 2) <= budget) return { read, content };
    const bytes = 2 * jsonStringBytes(content);
    if (bytes <= budget) return { read, content };
    maxBytes = Math.floor(maxBytes * Math.min(0.9, budget / bytes));
  }
}

function withLineNumbers({ content, startLine = 1 }: TextRead): string {
  if (startLine === 0) return ""; // a file without lines
  const lines = content.split(/(?<=\n)/);
  return lines.map((line, at) => `${String(startLine + at).padStart(6)}\t${line}`).join("");
}
