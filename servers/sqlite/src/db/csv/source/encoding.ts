// The encoding of a CSV file: what its bytes show, or a refusal that asks for it.
import { readSync } from "node:fs";
import { TextDecoder } from "node:util";
import { clip } from "@oarlock/domain-kit";
import { refusal, type DbError } from "../../errors.ts";
import { codePageDecoder, dosWordIn } from "./code-pages.ts";

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file from its beginning. Read synchronously, so that nothing is pending when the descriptor is closed. */
export function* chunksOf(fd: number): Generator<Buffer> {
  for (let at = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(fd, chunk, 0, CHUNK_BYTES, at);
    if (length === 0) return;
    at += length;
    yield chunk.subarray(0, length);
  }
}

/** A name of the WHATWG Encoding Standard, in lower case. The whole file is read, because one byte at its end decides. */
export function detectEncoding(fd: number): string {
  const [first = Buffer.alloc(0)] = chunksOf(fd);
  const marked = markOf(first) ?? utf16Of(first);
  if (marked !== undefined) return marked;
  if (isDecodable(fd, "utf-8")) return "utf-8";
  const { sequences, strayBytes, longestRun, firstStray, hasUndefined, endsInside } = countHighBytes(fd);
  if (sequences >= strayBytes || endsInside)
    throw unknownEncoding(`It is UTF-8 except for ${strayBytes === 1 ? "the byte" : `${strayBytes} bytes, the first`} at ${firstStray}`);
  // Excel for the Mac has a format of its own, with the line ends of old systems.
  if (hasOldMacLines(fd)) return "macintosh";
  const word = longestRun > 3 ? undefined : dosWordIn(chunksOf(fd));
  if (word !== undefined) throw unknownEncoding(`It looks like text of DOS: ${wordIn(word, "cp850")}, ${wordIn(word, "windows-1252")}`);
  // Letters of Western languages stand between ASCII ones; a longer run is another alphabet or another encoding of one.
  if (longestRun > 3 || hasUndefined) throw unknownEncoding("It is neither UTF-8 nor UTF-16, and does not look like windows-1252");
  return "windows-1252";
}

const wordIn = (word: Buffer, encoding: string): string => {
  const decode = codePageDecoder(encoding) ?? ((bytes: Buffer) => new TextDecoder(encoding).decode(bytes));
  return `${encoding} gives "${clip(decode(word), 40)}"`;
};

const unknownEncoding = (what: string): DbError =>
  refusal(
    `The encoding of the file is not clear. ${what}. Nothing was imported. Pass encoding, such as "windows-1252", "cp850", "windows-1251", "shift_jis" or "ibm866".`,
  );

const markOf = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
};

/** UTF-16 without a mark: nearly every second byte is zero, as the text of a table is mostly ASCII. NULs on both sides are something else. */
function utf16Of(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0 || even + odd < sample.length / 4 || Math.min(even, odd) * 4 > Math.max(even, odd)) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}

function hasOldMacLines(fd: number): boolean {
  let hasReturn = false;
  for (const chunk of chunksOf(fd)) {
    if (chunk.includes(0x0a)) return false;
    hasReturn ||= chunk.includes(0x0d);
  }
  return hasReturn;
}

function isDecodable(fd: number, encoding: string): boolean {
  try {
    for (const _ of decodedChunks(fd, encoding)) continue;
    return true;
  } catch {
    return false;
  }
}

interface HighBytes {
  /** Complete characters of UTF-8 with several bytes. */
  readonly sequences: number;
  /** Bytes that belong to none. */
  readonly strayBytes: number;
  readonly firstStray: number;
  readonly longestRun: number;
  /** Has one of the five bytes that windows-1252 does not define. */
  readonly hasUndefined: boolean;
  /** The only bytes astray are the beginning of a character at the end of the file. */
  readonly endsInside: boolean;
}

const UNDEFINED_1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function countHighBytes(fd: number): HighBytes {
  const counts = { sequences: 0, strayBytes: 0, firstStray: -1, longestRun: 0, hasUndefined: false, endsInside: false };
  let [position, run, expected, begun] = [0, 0, 0, 0];
  const stray = (bytes: number, at: number): void => {
    if (counts.strayBytes === 0) counts.firstStray = at;
    counts.strayBytes += bytes;
  };
  for (const chunk of chunksOf(fd))
    for (const byte of chunk) {
      run = byte < 0x80 ? 0 : run + 1;
      counts.longestRun = Math.max(counts.longestRun, run);
      counts.hasUndefined ||= UNDEFINED_1252.has(byte);
      if (expected > 0 && byte >= 0x80 && byte < 0xc0) {
        [expected, begun] = [expected - 1, begun + 1];
        if (expected === 0) [counts.sequences, begun] = [counts.sequences + 1, 0];
      } else {
        if (begun > 0) stray(begun, position - begun);
        expected = continuationBytes(byte);
        begun = expected > 0 ? 1 : 0;
        if (byte >= 0x80 && expected === 0) stray(1, position);
      }
      position += 1;
    }
  counts.endsInside = begun > 0 && counts.strayBytes === 0;
  if (begun > 0) stray(begun, position - begun);
  return counts;
}

/** How many bytes follow this one in a character of UTF-8; 0 for ASCII and for bytes that begin none. */
function continuationBytes(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  if (byte < 0xe0) return 1;
  return byte < 0xf0 ? 2 : 3;
}

/**
 * The text of a file, without a mark at its beginning.
 *
 * @throws DbError where the bytes are not valid in this encoding.
 */
export function* decodedChunks(fd: number, encoding: string): Generator<string> {
  const decode = codePageDecoder(encoding);
  if (decode !== undefined) {
    for (const chunk of chunksOf(fd)) yield decode(chunk);
    return;
  }
  const decoder = decoderOf(encoding);
  try {
    for (const chunk of chunksOf(fd)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch {
    throw refusal(`The file is not valid ${decoder.encoding}. Nothing was imported. Pass another encoding.`);
  }
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw refusal(
      `Invalid encoding: ${clip(encoding)} is not known. Use a name of the WHATWG Encoding Standard, such as utf-8, utf-16le, windows-1252 or iso-8859-15, or cp437, cp850, cp852 or cp858.`,
    );
  }
}
