// What an answer weighs on the wire, where texts go out inside JSON.

/** Bytes of a text as a JSON string. */
export function wireBytes(text: string): number {
  if (/^[\u0020\u0021\u0023-\u005b\u005d-\u007e]*$/.test(text)) return text.length + 2;
  return Buffer.byteLength(JSON.stringify(text));
}
