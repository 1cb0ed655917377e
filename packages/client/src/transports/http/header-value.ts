// The encoding of text in HTTP headers.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#value-encoding

/** A value as header text: unchanged, or in Base64 if it is not printable ASCII, has outer spaces, or resembles an encoded value. */
export function encodeHeaderValue(value: string): string {
  const isPlain = /^(?! )[\x20-\x7e]*(?<! )$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${toBase64(value)}?=`;
}

/** Base64 of the UTF-8 bytes, by functions that browsers have too. */
const toBase64 = (text: string): string => btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
