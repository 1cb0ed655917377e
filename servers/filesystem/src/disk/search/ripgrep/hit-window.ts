// Reads what is around a hit in a very long line, and counts its column, from the open file: the line itself is not kept.
import { readSync } from "node:fs";
import { isWide } from "../contents/text-check.ts";

const BLOCK_BYTES = 1024 * 1024;
/** Characters before the hit. */
const LEAD = 100;
/** Of the line: with the marks of what is cut off no more than a search shows of any line. */
const SHOWN = 298;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface HitWindow {
  readonly text: string;
  /** In UTF-16 units, from 0. */
  readonly column: number;
}

/** `place`: bytes of the text, in UTF-8, before the line and before the hit. `encoding`: the one given to ripgrep. */
export function hitWindow(fd: number, place: { readonly line: number; readonly hit: number }, encoding: string | undefined): HitWindow {
  const wide = markedWide(fd);
  // Only unmarked text that ripgrep reads byte by byte has its own positions; elsewhere the file is read from its start.
  const isOwn = encoding === undefined && wide === undefined;
  const decoder = new TextDecoder(encoding ?? wide ?? "utf-8", { ignoreBOM: isOwn });
  const reader = { fd, decoder, position: isOwn ? place.line + markLength(fd) : 0 };
  let bytes = isOwn ? place.line : 0;
  let column = 0;
  let before = "";
  for (let text = next(reader); text !== ""; text = next(reader)) {
    const length = Buffer.byteLength(text);
    const lineFrom = bytes >= place.line ? 0 : indexAt(text, place.line - bytes);
    if (bytes + length <= place.hit) {
      column += Math.max(0, text.length - lineFrom);
      before = (before + text.slice(lineFrom)).slice(-LEAD);
      bytes += length;
      continue;
    }
    const at = indexAt(text, place.hit - bytes);
    column += at - lineFrom;
    before = (before + text.slice(lineFrom, at)).slice(-LEAD);
    const after = SHOWN - before.length;
    const rest = text.slice(at, at + after + 1) + (text.length - at <= after ? next(reader).slice(0, after + 1) : "");
    const [line = ""] = rest.split("\n");
    const isCut = line.length > after;
    const part = (before + line.slice(0, after)).replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
    return { text: `${column > before.length ? "…" : ""}${part}${isCut ? "…" : ""}`, column };
  }
  return { text: "…", column: 0 };
}

interface Reader {
  readonly fd: number;
  readonly decoder: InstanceType<typeof TextDecoder>;
  position: number;
}

function next(reader: Reader): string {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (;;) {
    const bytes = block.subarray(0, readSync(reader.fd, block, 0, BLOCK_BYTES, reader.position));
    if (bytes.length === 0) return "";
    reader.position += bytes.length;
    const text = reader.decoder.decode(bytes, { stream: true });
    if (text !== "") return text;
  }
}

/** The index of the character with so many bytes before it. */
function indexAt(text: string, bytes: number): number {
  let at = 0;
  for (let left = bytes; left > 0 && at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += code >= 0x10000 ? 2 : 1;
  }
  return at;
}

/** ripgrep leaves a mark out of its positions. */
function markLength(fd: number): number {
  const start = Buffer.alloc(UTF8_MARK.length);
  return readSync(fd, start, 0, start.length, 0) === start.length && start.equals(UTF8_MARK) ? start.length : 0;
}

function markedWide(fd: number): string | undefined {
  const mark = Buffer.alloc(2);
  readSync(fd, mark, 0, 2, 0);
  return isWide(mark) ? (mark[0] === 0xfe ? "utf-16be" : "utf-16le") : undefined;
}
