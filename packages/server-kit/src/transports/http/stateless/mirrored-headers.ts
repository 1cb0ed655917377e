// Checks of the request headers that repeat parts of the body, for proxies that route without reading it: header and body must agree.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#standard-request-headers
import { readPath, type HeaderParameter } from "../../../features/schema/header-parameters.ts";
import { McpError } from "../../../protocol/errors.ts";
import type { Revision } from "../../../revisions/index.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { isObject, type Json, type RequestMessage } from "../../../wire/json-rpc.ts";
import type { RequestHeaders } from "../request-headers.ts";

const HEADER_MISMATCH = -32_020;

/** The member of params that `Mcp-Name` repeats. */
const NAME_MEMBER: Readonly<Record<string, string>> = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

/** Throws unless `MCP-Protocol-Version` repeats the version in `_meta`. */
export function checkVersionHeader({ protocolVersion }: RequestHeaders, version: string): void {
  if (protocolVersion === undefined) throw mismatch("Missing MCP-Protocol-Version header: expected the version in _meta.");
  if (protocolVersion !== version) throw mismatch("Wrong MCP-Protocol-Version header: expected the version in _meta.");
}

/** Throws unless `Mcp-Method`, `Mcp-Name` and `Mcp-Param-…` agree with the body. */
export function checkMirroredHeaders(
  headers: RequestHeaders,
  { method, params = {} }: RequestMessage,
  runtime: Runtime,
  revision: Revision,
): void {
  if (headers.mcpMethod !== method) throw mismatch("Wrong Mcp-Method header: expected the method of the body.");
  const member = NAME_MEMBER[method] ?? runtime.table(revision).nameMembers.get(method);
  if (member === undefined) return;
  const name = params[member];
  // A name that is not a string is an error of the body, reported by its own check.
  if (typeof name !== "string") return;
  if (decodeHeader(headers.mcpName) !== name) throw mismatch(`Wrong Mcp-Name header: expected params.${member} of the body.`);
  if (method === "tools/call") checkParameters(headers, params, runtime.server.tools.get(name)?.headers() ?? []);
}

function checkParameters({ mcpParams }: RequestHeaders, { arguments: args }: Json, parameters: readonly HeaderParameter[]): void {
  for (const { name, path, type } of parameters) {
    const header = mcpParams?.get(name.toLowerCase());
    const value = isObject(args) ? readPath(args, path) : undefined;
    if (value === undefined || value === null) {
      if (header !== undefined) throw mismatch(`Unexpected Mcp-Param-${name} header: the body has no argument ${path.join(".")}.`);
      continue;
    }
    const expected = `expected the argument ${path.join(".")} of the body.`;
    if (header === undefined) throw mismatch(`Missing Mcp-Param-${name} header: ${expected}`);
    const decoded = decodeHeader(header);
    if (decoded === undefined || !isSameValue(decoded, value, type)) throw mismatch(`Wrong Mcp-Param-${name} header: ${expected}`);
  }
}

function mismatch(message: string): McpError {
  return new McpError(HEADER_MISMATCH, message);
}

function isSameValue(header: string, value: unknown, type: HeaderParameter["type"]): boolean {
  if (type === "integer" && typeof value === "number") {
    return /^[+-]?\d+(?:\.\d+)?$/.test(header) && Number.isSafeInteger(value) && Number(header) === value;
  }
  return header === String(value);
}

/** The value of a header, plain or in its base64 form; undefined when it has characters that no header may have, or broken base64. */
function decodeHeader(value: string | undefined): string | undefined {
  if (value === undefined || !/^[\t\x20-\x7e]*$/.test(value)) return undefined;
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (base64 === undefined) return value;
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
