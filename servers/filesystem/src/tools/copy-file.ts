// copy_file: copies a file, or a directory with all entries below it; an existing file is replaced when the user agrees.
import { counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { sizeText } from "../disk/tree/listing-text.ts";
import { confirmReplacement } from "../replace-confirmation.ts";
import { flag, object, result, text, z } from "../schema.ts";

export const copyFile = ({ areas, allowDelete }: Dependencies) =>
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
      const { copy, checkCopy } = await import("../disk/transfer/copy.ts");
      const area = await areas.of(ctx);
      const check = () => checkCopy(area, source, destination, recursive);
      const replaced = await confirmReplacement(area, { act: "copy", source, destination, overwrite, allowDelete, check }, ctx);
      const progress = (done: number, total: number) => ctx.progress(done, total, `${sizeText(done)} of ${sizeText(total)}`);
      const { entries, bytes } = await copy(area, source, destination, { overwrite: replaced, recursive, signal: ctx.signal, progress });
      const size = entries > 1 ? ` (${counted(entries, "entry", "entries")}, ${sizeText(bytes)})` : "";
      const content = `Successfully copied ${source} to ${destination}${size}`;
      return { content, structured: { content, replaced, entries, bytes } };
    },
  });
