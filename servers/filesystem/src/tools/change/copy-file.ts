// copy_file: copies a file, or a directory with all entries below it.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import { sizeText } from "../../disk/tree/listing-text.ts";
import { transferRemarks, withUndo } from "../../replies/undo-notice.ts";
import { flag, object, result, text, z } from "../../schema.ts";

export const copyFile = ({ sandboxes, openTrash }: Dependencies) =>
  tool({
    name: "copy_file",
    title: "Copy file",
    description: "Copy a file or directory; links as links. Makes missing directories. Fails if the destination exists, unless overwrite.",
    input: () =>
      object({
        source: text("What to copy"),
        destination: text("Path of the copy"),
        overwrite: flag("Replace a file there"),
        recursive: flag("Directories too"),
      }),
    output: () => result({ content: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ source, destination, overwrite, recursive }, ctx) {
      const { copy } = await import("../../disk/transfer/copy.ts");
      const [sandbox, trash] = await Promise.all([sandboxes.of(ctx), openTrash?.({ principal: ctx.auth?.principal })]);
      const progress = (done: number, total: number) => ctx.progress(done, total, `${sizeText(done)} of ${sizeText(total)}`);
      const copied = await copy(sandbox, source, destination, { overwrite, recursive, trash, signal: ctx.signal, progress });
      const { entries, bytes, overwritten: replaced, undo, loss, newParent } = copied;
      const size = entries > 1 ? ` (${counted(entries - 1, "entry", "entries")} below it, ${sizeText(bytes)})` : "";
      const content = `Successfully copied ${escapeControls(source)} to ${escapeControls(destination)}${size}`;
      return {
        content: withUndo(content, undo, replaced && openTrash !== undefined, transferRemarks(newParent, loss)),
        structured: { content, replaced, entries, bytes, undo },
      };
    },
  });
