// Links to files, for hosts that can fetch a file without passing it through the model.
import { basename } from "node:path";
import { link, type Block } from "@oarlock/server-kit";
import { uriOfPath } from "./disk/text/file-uri.ts";

/** A longer URI would not fit beside the text of a reply. */
const MAX_URI_LENGTH = 1000;

/** `path`: the real path. Undefined when its URI is too long. */
export function fileLink(path: string, size: number): (Block & { type: "resource_link" }) | undefined {
  const uri = uriOfPath(path);
  return uri.length > MAX_URI_LENGTH ? undefined : link({ uri, name: basename(path), size });
}
