// delete_file: delete a file, or a directory with everything in it, after a yes; dryRun only lists what would go.
import { tool, ToolError } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import type { Doomed } from "../disk/transfer/delete.ts";
import { sizeText } from "../disk/tree/listing-text.ts";
import { pageRoom, type Parts } from "../dependencies.ts";
import { isYes } from "../questions.ts";
import { flag, object, result, text, z } from "../schema.ts";

export const deleteFile = ({ folders, allowDelete, maxResultBytes }: Parts) =>
  tool({
    name: "delete_file",
    title: "Delete file",
    description: "Delete a file or link, or with recursive a directory, for good, after the user agreed.",
    input: () =>
      object({
        path: text("What to delete"),
        recursive: flag("Delete a directory with all in it"),
        dryRun: flag("Only list what would go"),
      }),
    output: () =>
      result({
        content: z.string(),
        deleted: z.boolean(),
        entries: z.int(),
        truncated: z.boolean(),
      }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path, recursive, dryRun }, ctx) {
      const [{ deletePath, lookAtDoomed }, area] = await Promise.all([import("../disk/transfer/delete.ts"), folders.of(ctx)]);
      const look = () => lookAtDoomed(area, path, { recursive, signal: ctx.signal, maxBytes: pageRoom(maxResultBytes) });
      let doomed = await look();
      if (dryRun) {
        const { bytes, paths } = doomed;
        const truncated = doomed.entries > paths.length;
        const content = [`Would delete ${sizeOf(doomed)}:`, ...paths.map(escapeControls), ...rest(doomed)].join("\n");
        return { content, structured: { content, deleted: false, entries: doomed.entries, bytes, paths: [...paths], truncated } };
      }
      if (!allowDelete) {
        if (!ctx.client.can("elicit")) {
          throw new ToolError(
            `Not deleted: your client cannot ask its user whether to delete ${path}. Start the server with --allow-delete to allow it without a question; dryRun lists what would go.`,
          );
        }
        // A yes to so much is none to more: what has changed while the user was asked is asked about anew.
        let agreed: string;
        do {
          agreed = withRest(doomed);
          if (!(await isYes(ctx, `Delete ${path}${agreed}? It cannot be brought back.`)))
            throw new ToolError(`Not deleted: the user did not agree to delete ${path}.`);
          doomed = await look();
        } while (agreed !== withRest(doomed));
      }
      const progress = (gone: number) => ctx.progress(gone, Math.max(gone, doomed.entries), `${gone} entries deleted`);
      const entries = await deletePath(area, path, { recursive, signal: ctx.signal, progress });
      const content = `Successfully deleted ${path}${withRest({ ...doomed, entries })}`;
      return { content, structured: { content, deleted: true, entries, bytes: doomed.bytes, truncated: false } };
    },
  });

const sizeOf = ({ entries, bytes }: Doomed): string => `${entries} ${entries === 1 ? "entry" : "entries"} (${sizeText(bytes)})`;

const withRest = ({ type, entries, bytes }: Doomed): string =>
  type === "directory" ? ` and the ${entries - 1} entries in it (${sizeText(bytes)})` : "";

const rest = ({ entries, paths }: Doomed): string[] =>
  entries > paths.length ? [`(and ${entries - paths.length} more that are not listed)`] : [];
