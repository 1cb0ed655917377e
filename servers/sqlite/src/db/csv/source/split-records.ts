// Splits the first part of a CSV file for the detection of its layout. The file itself is read by csv-parse.
import type { Field } from "../dialect.ts";

export interface SampleRecord {
  readonly fields: readonly Field[];
  /** How many lines stand before it. */
  readonly line: number;
}

/** Never fails: a quote inside a field is a character of it, and a field that is still open at the end is left out. */
export function splitRecords(text: string, delimiter: string, quote: string, escape: string): SampleRecord[] {
  const records: SampleRecord[] = [];
  let fields: Field[] = [];
  let [line, begin] = [0, 0];
  for (let at = 0; at <= text.length;) {
    const field = readField(text, at, delimiter, quote, escape);
    if (field === undefined) break;
    fields.push(field);
    line += field.lineBreaks;
    at = field.end;
    if (text[at] === delimiter) at += 1;
    else {
      if (at < text.length || fields.length > 1 || field.text !== "" || field.isQuoted) records.push({ fields, line: begin });
      at += text.startsWith("\r\n", at) ? 2 : 1;
      [fields, line] = [[], line + 1];
      begin = line;
    }
  }
  return records;
}

interface SampleField extends Field {
  readonly end: number;
  readonly lineBreaks: number;
}

function readField(text: string, start: number, delimiter: string, quote: string, escape: string): SampleField | undefined {
  const quoted = text[start] === quote ? readQuoted(text, start, delimiter, quote, escape) : undefined;
  if (quoted === "open") return undefined;
  if (quoted !== undefined) return quoted;
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { text: text.slice(start, end), isQuoted: false, end, lineBreaks: 0 };
}

/** Undefined where the closing quote is followed by more text. */
function readQuoted(text: string, start: number, delimiter: string, quote: string, escape: string): SampleField | "open" | undefined {
  let value = "";
  let lineBreaks = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === escape && text[at + 1] === quote) {
      value += quote;
      at += 1;
    } else if (character === quote) {
      const end = at + 1;
      return end === text.length || [delimiter, "\n", "\r"].includes(text[end] ?? "")
        ? { text: value, isQuoted: true, end, lineBreaks }
        : undefined;
    } else {
      if (character === "\n") lineBreaks += 1;
      value += character;
    }
  }
  return "open";
}
