// Text that is appended to a file: in its encoding and with its line endings.
import type { FileHandle } from "../access/sandbox.ts";
import { readNow } from "../read/byte-reader.ts";
import { convertLineEndings, type Converted } from "../text/line-ending-conversion.ts";
import { decode, encode, unitOf, type Encoding } from "../text/encoding.ts";
import { lineEndingOf } from "../text/lines.ts";
import { appendEncoding } from "./append-encoding.ts";

/** The end of the file shows its line endings, and whether its last line is complete. */
const TAIL_BYTES = 64 * 1024;

export interface AppendedText {
  readonly bytes: Buffer;
  /** What the caller may not expect: sentences. */
  readonly notes: readonly string[];
}

export async function appendedText(
  file: FileHandle,
  given: string,
  wanted: Encoding | undefined,
  signal: AbortSignal | undefined,
): Promise<AppendedText> {
  // A byte order mark belongs to the start of a file only.
  const text = given.replace(/^\ufeff/, "");
  const encoding = await appendEncoding(file, wanted, signal);
  const size = Number(file.stat.size);
  const unit = unitOf(encoding);
  const from = Math.max(0, Math.ceil((size - TAIL_BYTES) / unit) * unit);
  const end = decode(readNow(file.fd, from, size - from), encoding);
  // The carriage return before a first newline may have been left out.
  const tail = from > 0 ? end.replace(/^\n/, "") : end;
  const lineEnding = lineEndingOf(tail);
  const isUniform = lineEnding === "lf" || lineEnding === "crlf";
  const fitted = isUniform && text.includes("\n") ? convertLineEndings(text, lineEnding) : withCarriageReturns(text, tail);
  const joins = !/[\n\r]$/.test(tail) && !/^[\n\r]/.test(text);
  const notes = [
    ...(joins ? ["The last line of the file had no newline, so the text was added to that line."] : []),
    ...(fitted.count > 0 ? [`The line endings of the text became ${isUniform ? lineEnding.toUpperCase() : "CR"}, as in the file.`] : []),
    ...(encoding !== (wanted ?? "utf-8") ? [`The text was written as ${encoding}, the encoding of the file.`] : []),
  ];
  return { bytes: encode(fitted.text, encoding), notes };
}

/** A file of classic Mac OS has no other line endings. */
function withCarriageReturns(text: string, tail: string): Converted {
  const isClassic = tail.includes("\r") && !tail.includes("\n");
  let count = 0;
  return { text: isClassic ? text.replace(/\r?\n/g, () => ((count += 1), "\r")) : text, count };
}
