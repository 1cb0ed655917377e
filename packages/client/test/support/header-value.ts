// A header's value as a server reads it, written anew from the specification.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#value-encoding

export function decoded(value: unknown): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(String(value)) ?? [];
  return base64 === undefined ? String(value) : Buffer.from(base64, "base64").toString("utf8");
}
