// Bytes that should be UTF-8 but need not be.

/** Bytes of the well-formed UTF-8 character that begins at `at`; 0 where the bytes are not UTF-8. */
export function utf8SequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0xff; // no character begins behind the end
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  // Longer forms of shorter characters, surrogates, and what lies beyond Unicode.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let next = 2; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
