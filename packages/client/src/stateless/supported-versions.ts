// The error of a server that does not support the revision of a request.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { isObject, McpError } from "@oarlock/server-kit/protocol";

export const UNSUPPORTED_VERSION = -32_022;

/** The revisions in an "unsupported version" error; undefined for other errors. */
export function supportedVersions(error: unknown): readonly unknown[] | undefined {
  if (!(error instanceof McpError) || error.code !== UNSUPPORTED_VERSION || !isObject(error.data)) return undefined;
  return Array.isArray(error.data.supported) ? error.data.supported : undefined;
}
