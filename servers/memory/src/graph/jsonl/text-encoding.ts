// UTF-16: what Windows PowerShell and some editors write where UTF-8 is expected.

export type Utf16 = "utf-16le" | "utf-16be";

/** By its byte order mark, or by the zero in its first character, which is ASCII in JSON. Undefined for UTF-8. */
export function encodingOf(start: Uint8Array): Utf16 | undefined {
  const [first, second] = start;
  if (first === undefined || second === undefined) return undefined;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return undefined;
}

/** The same text in UTF-8, without its byte order mark. */
export function* toUtf8(chunks: Iterable<Uint8Array>, encoding: Utf16): Generator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** A whole file as text, without its byte order mark. */
export const decodeText = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes) ?? "utf-8").decode(bytes);
