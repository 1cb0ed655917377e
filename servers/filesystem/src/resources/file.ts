// The resource template file:///{+path}: all files and directories of the sandbox, with completion and subscription.
import { isUtf8 } from "node:buffer";
import { invalidParams, McpError, resourceNotFound, template, type Context, type Contents } from "@oarlock/server-kit";
import { jsonStringBytes } from "@oarlock/domain-kit";
import { completeUriPath } from "../completion.ts";
import type { Sandbox } from "../disk/access/sandbox.ts";
import { DiskError } from "../disk/errors.ts";
import { listFolder } from "../disk/tree/listing.ts";
import { listText } from "../disk/tree/listing-text.ts";
import { mediaType, readsAsText, HEAD_BYTES } from "../disk/read/media-type.ts";
import { readBytes, tooLarge } from "../disk/read/byte-reader.ts";
import { pathOfUri, uriOfPath } from "../disk/text/file-uri.ts";
import { checkWatchable, type Watcher } from "../disk/watch/watcher.ts";
import type { Dependencies } from "../dependencies.ts";

/** As JSON-RPC has it. */
const INTERNAL_ERROR = -32603;

export const file = ({ sandboxes, activity, maxResultBytes: maxBytes }: Dependencies, watcher: Watcher) =>
  template({
    uri: "file:///{+path}",
    name: "file",
    title: "File or directory",
    description: "A file's content, or the entries of a directory, under an allowed directory.",
    match: (uri) => (/^file:/i.test(uri) ? { path: pathIn(uri) } : undefined),
    async list(ctx) {
      const { roots } = await sandboxes.known(ctx);
      return roots.map(({ given }) => ({
        uri: uriOfPath(given),
        name: given,
        description: "An allowed directory",
        mimeType: "inode/directory",
      }));
    },
    complete: { path: completeUriPath(sandboxes, maxBytes) },
    read: async ({ path }, ctx, uri) =>
      asResource(uri, () =>
        activity.during(ctx, "resources/read", async () =>
          read(checked(await sandboxes.of(ctx), path, uri), path, maxBytes - 1000 - 2 * jsonStringBytes(uri), ctx.signal),
        ),
      ),
    noticesOtherProcesses: true,
    subscribe: async ({ path }, ctx: Context, uri) =>
      asResource(uri, () =>
        activity.during(ctx, "resources/subscribe", async () => {
          const sandbox = checked(await sandboxes.known(ctx), path, uri);
          checkWatchable(sandbox, path);
          watcher.checkLimit(sandbox, path);
          return sandbox;
        }),
      ),
    watch: async ({ path }, changed, uri, sandbox) => asResource(uri, async () => watcher.watch(sandbox, path, changed)),
  });

/** The path of a URI. Throws -32602 for a URI that names no file here. */
function pathIn(uri: string): string {
  try {
    return pathOfUri(uri, { folder: true });
  } catch (error) {
    throw error instanceof DiskError ? invalidParams(error.message) : error;
  }
}

/** Throws when a URI that ends in a slash does not name a directory. */
function checked(sandbox: Sandbox, path: string, uri: string): Sandbox {
  if (uri.endsWith("/")) sandbox.folder(path)[Symbol.dispose]();
  return sandbox;
}

/** Turns errors of the disk into errors of the protocol. A denied file and a missing one look the same. */
async function asResource<T>(uri: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DiskError && (error.code === "denied" || error.code === "not-found")) throw resourceNotFound(uri);
    // A failure of the operating system is not the fault of the URI.
    if (error instanceof DiskError && (error.code === "io" || error.code === "conflict")) throw new McpError(INTERNAL_ERROR, error.message);
    throw error instanceof DiskError ? invalidParams(error.message) : error;
  }
}

async function read(sandbox: Sandbox, path: string, room: number, signal: AbortSignal): Promise<Contents> {
  if (sandbox.look(path).stat.isDirectory())
    return { text: listText(await listFolder(sandbox, path, { maxBytes: room, signal })), mimeType: "text/plain" };
  const { bytes } = await readBytes(sandbox, path, { maxBytes: room, signal });
  const mimeType = await mediaType(path, bytes.subarray(0, HEAD_BYTES));
  const text = readsAsText(mimeType) && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  // Control characters take six bytes each in JSON, so a file full of them is sent as base64, which grows by a third only.
  if (text !== undefined && jsonStringBytes(text) <= room) return { text, mimeType };
  const most = Math.floor(room * 0.75) - 4;
  if (bytes.length > most) throw tooLarge(path, bytes.length, most, "; read_text_file reads it in parts");
  return { blob: bytes.toString("base64"), mimeType };
}
