// A link to a file for hosts that can fetch it past the model.
import { link, type Block } from "@oarlock/server-kit";
import { uriOfPath } from "./disk/text/file-uri.ts";

/** A longer address would not fit beside the text. */
const LONGEST_URI = 1000;

/** `path` is the real one. */
export function linkTo(path: string, size: number): (Block & { type: "resource_link" }) | undefined {
  const uri = uriOfPath(path);
  return uri.length > LONGEST_URI ? undefined : link({ uri, name: path.slice(path.lastIndexOf("/") + 1), size });
}
