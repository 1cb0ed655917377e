// Where a text is not valid in its encoding: a reader sees replacement characters there.
import { markOf, type Encoding, type TextForm } from "./encoding.ts";
import { scanUtf8 } from "./utf8-damage.ts";

export interface Damage {
  /** From 1, in the part that was read. Absent where it is not known which line of the file that is. */
  readonly line?: number;
  /** From 0, in that part; UTF-8 only. */
  readonly byte?: number;
}

/** `text`: the decoded bytes. Undefined where all bytes are valid. */
export function damageOf(bytes: Buffer, text: string, encoding: Encoding): Damage | undefined {
  if (encoding === "latin1" || encoding === "windows-1252") return undefined;
  const at = text.search(/\ufffd|[\ud800-\udfff]/u);
  if (at === -1) return undefined;
  if (encoding !== "utf-8") return { line: lineOf(text, at) };
  // A replacement character may also be written as such.
  const { firstInvalid } = scanUtf8(bytes);
  return firstInvalid === -1 ? undefined : { line: lineOf(bytes.toString("latin1", 0, firstInvalid), firstInvalid), byte: firstInvalid };
}

/** The position counts from the start of the file, byte order mark included. */
export function damageIn(content: Buffer, text: string, form: TextForm): Damage | undefined {
  const { length } = markOf(form);
  const damage = damageOf(content.subarray(length), text, form.encoding);
  return damage?.byte === undefined ? damage : { ...damage, byte: damage.byte + length };
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;
