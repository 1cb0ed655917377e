// Text that fits into a reply: where its characters take more bytes in JSON than in the file, a smaller part is read.
import type { Sandbox } from "../access/sandbox.ts";
import type { ReadOptions } from "./read-options.ts";
import { readText, type TextRead } from "./text-reader.ts";

export interface ReplyText {
  readonly read: TextRead;
  /** The text of the read as a JSON string, with line numbers where they were wanted. */
  readonly json: string;
}

/** A part of this size is given even where it does not fit. */
const MIN_BYTES = 64;

/** Reads as much as fits into `budget` bytes: the text is sent twice, for the model and in the structured result. */
export async function readTextWithin(
  sandbox: Sandbox,
  path: string,
  options: Omit<ReadOptions, "maxBytes">,
  budget: number,
): Promise<ReplyText> {
  for (let maxBytes = Math.floor(budget / 2.2); ;) {
    const read = await readText(sandbox, path, { ...options, maxBytes });
    const json = JSON.stringify(options.numbered === true ? withLineNumbers(read) : read.content);
    if (maxBytes < MIN_BYTES) return { read, json };
    const bytes = 2 * Buffer.byteLength(json);
    if (bytes <= budget) return { read, json };
    maxBytes = Math.floor(maxBytes * Math.min(0.9, budget / bytes));
  }
}

function withLineNumbers({ content, startLine = 1 }: TextRead): string {
  if (startLine === 0) return ""; // a file without lines
  const lines = content.split(/(?<=\n)/);
  return lines.map((line, at) => `${String(startLine + at).padStart(6)}\t${line}`).join("");
}
