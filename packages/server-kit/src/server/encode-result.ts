// A result in the words of a peer's revision, with what that revision puts on every result.
import type { Revision } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Server } from "./define.ts";

export function encodeResult(server: Server, revision: Revision, method: string, result: Json): Json {
  const said = revision.encodeResult(method, result);
  return revision.stamp === undefined ? said : revision.stamp(said, server.info);
}
