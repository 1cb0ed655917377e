// Bytes that should be UTF-8 but need not be.
import { isUtf8 } from "node:buffer";

/** Bytes of the well-formed UTF-8 character that begins at `at`; 0 where the bytes are not UTF-8. */
export function utf8SequenceLength(bytes: Uint8Array, at: number): number {
  const length = lengthByFirstByte(bytes[at] ?? 0);
  const sequence = bytes.subarray(at, at + length);
  return length > 0 && sequence.length === length && isUtf8(sequence) ? length : 0;
}

function lengthByFirstByte(first: number): number {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}
