// What an answer weighs on the wire: a text goes out inside JSON, and once more in the structured result that the official
// servers' clients expect. Lists end before they grow past what one reply may be (2.5 MB), and say so.

/** For the lists of one answer; the rest of the reply has room beside it. */
export const REPLY_BYTES = 2_000_000;

/** Bytes of a text as a JSON string. */
export function wireBytes(text: string): number {
  if (/^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/.test(text)) return text.length + 2;
  return Buffer.byteLength(JSON.stringify(text));
}

/** Whether a text that goes out twice has room. */
export function fitsTwice(text: string, room: number): boolean {
  // No unit of a string takes more than six bytes.
  return 12 * text.length + 4 <= room || 2 * wireBytes(text) <= room;
}
