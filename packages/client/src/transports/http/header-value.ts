// The encoding of text in HTTP headers.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#value-encoding

/** A value as header text: unchanged, or in Base64 if it is not printable ASCII, has outer spaces, or resembles an encoded value. */
export function encodeHeaderValue(value: string): string {
  const isPlain = /^(?! )[\x20-\x7e]*(?<! )$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}
