// get_file_info: shows size, times, type and permissions of a file or directory.
import { escapeControls } from "@oarlock/domain-kit";
import { text, tool } from "@oarlock/server-kit";
import { info, type Info } from "../../disk/read/file-info.ts";
import { mediaType } from "../../disk/read/media-type.ts";
import type { Dependencies } from "../../dependencies.ts";
import { factsLine } from "../../replies/text-facts.ts";
import { object, path, result, z } from "../../schema.ts";

export const getFileInfo = ({ sandboxes }: Dependencies) =>
  tool({
    name: "get_file_info",
    title: "Get file info",
    description: "Get size, times, type, permissions, etag (c-…: equal for equal bytes); of text also encoding and lines.",
    input: () => object({ path }),
    output: () =>
      result({
        content: z.string(),
        size: z.int(),
        modified: z.string(),
        etag: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ path: given }, ctx) {
      const { kind, ...facts } = info(await sandboxes.of(ctx), given);
      const content = factsText(facts);
      const { created, modified, accessed } = facts;
      const times = { created: created.toISOString(), modified: modified.toISOString(), accessed: accessed.toISOString() };
      const mimeType = facts.isDirectory ? "inode/directory" : kind?.includes("/") === true ? kind : await mediaType(facts.path);
      // The reply about a directory is the one of the reference server.
      const link =
        facts.isSymlink && !facts.isDirectory ? `link${facts.target === undefined ? "" : ` to ${escapeControls(facts.target)}`}` : "";
      const line = facts.notice ?? factsLine({ link, kind, ...facts });
      return { content: line === "" ? content : [text(content), text(line)], structured: { content, ...facts, ...times, mimeType } };
    },
  });

/** The lines of the reference server, in its order. */
function factsText({ size, created, modified, accessed, isDirectory, isFile, permissions }: Info): string {
  const lines = { size, created, modified, accessed, isDirectory, isFile, permissions };
  return Object.entries(lines)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");
}
