// Headers that repeat what the body says (newest era), so that those on the way can route without reading it: they must agree.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#standard-request-headers
import type { Server } from "../../../server/define.ts";
import { readPath, type HeaderParameter } from "../../../features/header-parameters.ts";
import type { Envelope } from "../../../protocol/meta.ts";
import { isObject, type Json, type RequestMessage } from "../../../wire/json-rpc.ts";
import type { Fields } from "../request-headers.ts";

/** The member of params that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

/** Why the version header does not fit; undefined when it does. */
export function wrongVersion({ version }: Fields, envelope: Pick<Envelope, "version">): string | undefined {
  if (version === undefined) return "MCP-Protocol-Version: expected the version that _meta names";
  return version === envelope.version ? undefined : "MCP-Protocol-Version: not the version that _meta names";
}

/** Why another header does not fit; undefined when all do. */
export function wrongMirror(fields: Fields, { method, params = {} }: RequestMessage, server: Server): string | undefined {
  if (fields.rpcMethod !== method) return "Mcp-Method: expected the method of the body";
  const member = NAMED[method];
  if (member === undefined) return undefined;
  const named = params[member];
  // Of another type: the body is at fault, and is told so.
  if (typeof named === "string" && decoded(fields.rpcName) !== named) return `Mcp-Name: expected params.${member} of the body`;
  return method === "tools/call" && typeof named === "string"
    ? wrongParameter(fields, params, server.tools.get(named)?.headers() ?? [])
    : undefined;
}

function wrongParameter({ params }: Fields, { arguments: args }: Json, expected: readonly HeaderParameter[]): string | undefined {
  for (const { name, path, type } of expected) {
    const header = params?.get(name.toLowerCase());
    const value = isObject(args) ? readPath(args, path) : undefined;
    const where = `Mcp-Param-${name}`;
    if (value === undefined || value === null) {
      if (header !== undefined) return `${where}: the body has no such argument`;
      continue;
    }
    if (header === undefined) return `${where}: expected the argument ${path.join(".")} of the body`;
    const said = decoded(header);
    if (said === undefined || !agrees(said, value, type)) return `${where}: not the argument ${path.join(".")} of the body`;
  }
  return undefined;
}

function agrees(said: string, value: unknown, type: HeaderParameter["type"]): boolean {
  if (type === "integer" && typeof value === "number") {
    return /^[+-]?\d+(?:\.\d+)?$/.test(said) && Number.isSafeInteger(value) && Number(said) === value;
  }
  return said === String(value);
}

/** The value behind the base64 form, or as it stands; undefined when it holds what no header may, or the base64 is broken. */
function decoded(value: string | undefined): string | undefined {
  if (value === undefined || !/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (base64 === undefined) return value;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
