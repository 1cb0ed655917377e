// Encodings of text files. A byte order mark decides; without one a file is UTF-16 where every second byte is zero, UTF-8 where most bytes
// beyond ASCII are valid, and windows-1252 otherwise: there each byte is a character, so decoding and encoding lose nothing.
import { isUtf8 } from "node:buffer";
import { DiskError } from "../errors.ts";
import { isMostlyUtf8, scanUtf8 } from "./utf8-damage.ts";
import { wideEncoding } from "./wide-text.ts";
import { decodeWindows1252, encodeWindows1252 } from "./windows-1252.ts";
import { decodeLegacy, encodeLegacy, loadLegacyEncoding, type LegacyEncoding } from "./legacy-encoding.ts";

/** Encodings that need no library. */
type OwnEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "windows-1252";
export type Encoding = OwnEncoding | LegacyEncoding;

const OWN_NAMES: Readonly<Record<string, OwnEncoding>> = {
  utf8: "utf-8",
  utf16: "utf-16le",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  latin1: "latin1",
  iso88591: "latin1",
  windows1252: "windows-1252",
  cp1252: "windows-1252",
};

/** The encoding with this name, in any usual spelling. Throws for a name that is unknown. */
export async function encodingNamed(name: string): Promise<Encoding> {
  const lower = name.toLowerCase();
  return OWN_NAMES[lower.replace(/[^a-z0-9]/g, "")] ?? (await loadLegacyEncoding(lower));
}

/** How a file encodes its text. */
export interface TextForm {
  readonly encoding: Encoding;
  readonly bom: boolean;
}

const marks: readonly (readonly [Encoding, Buffer])[] = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
];

const empty = Buffer.alloc(0);

/** The byte order mark of an encoding; empty where it has none. */
export function markOf(form: TextForm): Buffer {
  return form.bom ? (marks.find(([encoding]) => encoding === form.encoding)?.[1] ?? empty) : empty;
}

const wideMarks: readonly Buffer[] = [Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from([0, 0, 0xfe, 0xff])];

/** Marked as UTF-32, which is not supported. The little-endian mark begins like that of UTF-16. */
export function isUtf32(start: Buffer): boolean {
  return wideMarks.some((mark) => start.length >= 4 && start.compare(mark, 0, 4, 0, 4) === 0);
}

/** The form by the byte order mark in the first bytes. `wanted`: the encoding that the caller names. */
export function formByMark(start: Buffer, wanted?: Encoding): TextForm | undefined {
  if (wanted === undefined && isUtf32(start)) return undefined;
  // All marks begin with a byte of at least 0xef.
  for (const [encoding, mark] of (start[0] ?? 0) < 0xef ? [] : marks) {
    const bom = start.length >= mark.length && start.compare(mark, 0, mark.length, 0, mark.length) === 0;
    if (bom && (wanted === undefined || wanted === encoding)) return { encoding, bom };
  }
  return wanted === undefined ? undefined : { encoding: wanted, bom: false };
}

/** The form of a text without a mark. `start`: the first bytes of the file, where the content is another part of it. */
export function formByContent(content: Buffer, start?: Buffer): TextForm {
  const wide = wideEncoding(content);
  if (wide !== undefined) return { encoding: wide, bom: false };
  return { encoding: isUtf8(content) || isMostlyUtf8(scanUtf8(content), start && scanUtf8(start)) ? "utf-8" : "windows-1252", bom: false };
}

/** Neither UTF-8 nor UTF-16, nor plausible as one byte per character. */
export function isBinary(content: Buffer): boolean {
  return content.includes(0) && !isUtf8(content) && wideEncoding(content) === undefined;
}

/** Whether it needs no library. */
export const isOwnEncoding = (encoding: Encoding): encoding is OwnEncoding => Object.values<Encoding>(OWN_NAMES).includes(encoding);

/** Bytes of one 16-bit unit, or of one character. */
export function unitOf(encoding: Encoding): 1 | 2 {
  return encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;
}

/** The text of bytes without a byte order mark. */
export function decode(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case "utf-8":
      return bytes.toString("utf8");
    case "latin1":
      return bytes.toString("latin1");
    case "utf-16le":
      return bytes.toString("utf16le") + halfOf(bytes);
    case "utf-16be":
      return (
        Buffer.from(bytes.subarray(0, bytes.length & ~1))
          .swap16()
          .toString("utf16le") + halfOf(bytes)
      );
    case "windows-1252":
      return decodeWindows1252(bytes);
    default:
      return decodeLegacy(bytes, encoding);
  }
}

/** Stands for a last byte that is half of a unit. */
const halfOf = (bytes: Buffer): string => ((bytes.length & 1) === 1 ? "\ufffd" : "");

/** The bytes of a text, without a byte order mark. Throws for characters that the encoding does not have. */
export function encode(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case "utf-8":
      if (!text.isWellFormed()) throw new DiskError("invalid", "Invalid text: it has half of a surrogate pair, which UTF-8 cannot encode.");
      return Buffer.from(text, "utf8");
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    case "latin1": {
      // eslint-disable-next-line no-control-regex
      const [character] = /[^\u0000-\u00ff]/u.exec(text) ?? [];
      if (character !== undefined) throw foreign(character, encoding);
      return Buffer.from(text, "latin1");
    }
    case "windows-1252": {
      const bytes = encodeWindows1252(text);
      if (!Buffer.isBuffer(bytes)) throw foreign(bytes.foreign, encoding);
      return bytes;
    }
    default: {
      const bytes = encodeLegacy(text, encoding);
      const lost = firstDifference(text, decodeLegacy(bytes, encoding));
      if (lost !== undefined) throw foreign(lost, encoding);
      return bytes;
    }
  }
}

/** The first character of a text that another text does not have in the same position. */
function firstDifference(text: string, other: string): string | undefined {
  if (text === other) return undefined;
  const others = other[Symbol.iterator]();
  for (const character of text) if (others.next().value !== character) return character;
  return undefined;
}

function foreign(character: string, encoding: Encoding): DiskError {
  return new DiskError("invalid", `Encoding ${encoding} has no character ${JSON.stringify(character)}. Write the file as utf-8 to use it.`);
}
