// The encoding in which text is appended to a file: two encodings in one file would damage its content.
import { isAscii, isUtf8 } from "node:buffer";
import { clip } from "@oarlock/domain-kit";
import type { FileHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { BLOCK_BYTES, readInto, readNow } from "../read/byte-reader.ts";
import { formByMark, isUtf32, unitOf, type Encoding } from "../text/encoding.ts";
import { isMostlyUtf8, scanUtf8 } from "../text/utf8-damage.ts";
import { wideEncoding } from "../text/wide-text.ts";

/** How much of the start and of the end of a file is looked at; a file of twice this size is looked at completely. */
const LOOKED_AT_BYTES = 8 * 1024 * 1024;

/** By the byte order mark of the file, or by its content: there the encoding that the caller names, where it is possible. */
export async function appendEncoding(file: FileHandle, wanted: Encoding | undefined, signal: AbortSignal | undefined): Promise<Encoding> {
  const start = readNow(file.fd, 0, Math.min(Number(file.stat.size), BLOCK_BYTES));
  const encoding = formByMark(start)?.encoding ?? (await encodingToAddTo(file, start, wanted, signal));
  // Added units would be misaligned and be read as other characters.
  if (isUtf32(start) || file.stat.size % BigInt(unitOf(encoding)) !== 0n) {
    const what = isUtf32(start) ? "is marked as UTF-32, which is not written here" : `is not clean ${encoding} text`;
    throw new DiskError("invalid", `Cannot append: the file ${what}: ${clip(file.path)}`);
  }
  return encoding;
}

async function encodingToAddTo(
  file: FileHandle,
  start: Buffer,
  wanted: Encoding | undefined,
  signal: AbortSignal | undefined,
): Promise<Encoding> {
  const wide = wideEncoding(start);
  if (wide !== undefined) return wide;
  const { isAllAscii, isUtf8, hasZeros } = await scan(file, start, signal);
  const own = isUtf8 ? "utf-8" : "windows-1252";
  if (wanted === undefined) return own;
  const fits = unitOf(wanted) === 2 ? hasZeros : wanted === own || (wanted !== "utf-8" && (!isUtf8 || isAllAscii));
  return fits ? wanted : own;
}

/** Looks at the start and the end of the file, so that its size does not matter. */
async function scan(file: FileHandle, start: Buffer, signal: AbortSignal | undefined) {
  const size = Number(file.stat.size);
  const parts =
    size <= start.length
      ? [scanWhole(start)]
      : size <= 2 * LOOKED_AT_BYTES
        ? [await scanPart(file, 0, size, true, signal)]
        : [await scanPart(file, 0, LOOKED_AT_BYTES, false, signal), await scanPart(file, size - LOOKED_AT_BYTES, size, true, signal)];
  return {
    isAllAscii: parts.every((part) => part.isAllAscii),
    isUtf8: parts.every((part) => part.isAllUtf8) || isMostlyUtf8(...parts),
    hasZeros: parts.some((part) => part.hasZeros),
  };
}

function scanWhole(bytes: Buffer) {
  const counts = isAscii(bytes) ? { characters: 0, invalid: 0 } : scanUtf8(bytes);
  return { ...counts, isAllAscii: isAscii(bytes), isAllUtf8: isUtf8(bytes), hasZeros: bytes.includes(0) };
}

/** Reads a part block by block. A character that the part divides counts as valid. */
async function scanPart(file: FileHandle, from: number, to: number, isEnd: boolean, signal: AbortSignal | undefined) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let [isAllAscii, isAllUtf8, hasZeros, characters, invalid] = [true, true, false, 0, 0];
  const decode = (bytes?: Buffer): void => {
    try {
      if (isAllUtf8) decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      isAllUtf8 = false;
    }
  };
  for (let at = from; at < to;) {
    const bytes = await readInto(file.fd, block.subarray(0, Math.min(BLOCK_BYTES, to - at)), at, signal);
    if (bytes.length === 0) break;
    hasZeros ||= bytes.includes(0);
    const isStart = at === from;
    at += bytes.length;
    if (isAllAscii && isAscii(bytes)) continue;
    isAllAscii = false;
    const complete = isStart && from > 0 ? afterDividedCharacter(bytes) : bytes;
    decode(complete);
    const scanned = scanUtf8(complete);
    characters += scanned.characters;
    invalid += scanned.invalid;
  }
  if (!isAllAscii && isEnd) decode();
  return { isAllAscii, isAllUtf8, hasZeros, characters, invalid };
}

/** Without the bytes of a UTF-8 character that began before. */
function afterDividedCharacter(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return bytes.subarray(from);
}
