// copy_file: copy a file, or a directory with everything in it; an existing file is replaced after its user agreed.
import { tool } from "@oarlock/server-kit";
import { sizeText } from "../disk/tree/listing-text.ts";
import { mayReplace } from "../replace-confirmation.ts";
import type { Parts } from "../dependencies.ts";
import { flag, object, result, text, z } from "../schema.ts";

export const copyFile = ({ folders, allowDelete }: Parts) =>
  tool({
    name: "copy_file",
    title: "Copy file",
    description: "Copy a file or directory; links as links. Fails if the destination exists, unless overwrite.",
    input: () =>
      object({
        source: text("What to copy"),
        destination: text("Path of the copy"),
        overwrite: flag("Replace a file there; the user is asked"),
        recursive: flag("Copy a directory with all in it"),
      }),
    output: () => result({ content: z.string(), replaced: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ source, destination, overwrite, recursive }, ctx) {
      const [{ copy, mustBeCopyable }, area] = await Promise.all([import("../disk/transfer/copy.ts"), folders.of(ctx)]);
      const check = () => mustBeCopyable(area, source, destination, recursive);
      const replaces = await mayReplace(area, { source, destination, overwrite, allowDelete, check }, "copy", ctx);
      const progress = (done: number, total: number) => ctx.progress(done, total, `${sizeText(done)} of ${sizeText(total)}`);
      const { entries, bytes } = await copy(area, source, destination, { overwrite: replaces, recursive, signal: ctx.signal, progress });
      const more = entries > 1 ? ` (${entries} entries, ${sizeText(bytes)})` : "";
      const content = `Successfully copied ${source} to ${destination}${more}`;
      return { content, structured: { content, replaced: replaces, entries, bytes } };
    },
  });
