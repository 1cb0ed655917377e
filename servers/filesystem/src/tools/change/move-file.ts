// move_file: moves or renames; an existing destination is refused, or replaced when the user agrees.
import { escapeControls } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../../dependencies.ts";
import { confirmReplacement } from "../../replace-confirmation.ts";
import { transferRemarks, withUndo } from "../../replies/undo-notice.ts";
import { flag, object, result, text, z } from "../../schema.ts";

export const moveFile = ({ sandboxes, openTrash, allowDelete }: Dependencies) =>
  tool({
    name: "move_file",
    title: "Move file",
    description: "Move or rename a file or directory. Makes missing directories. Fails if the destination exists, unless overwrite.",
    input: () =>
      object({
        source: text("What to move"),
        destination: text("Its new path"),
        overwrite: flag("Replace a file there; the user is asked"),
      }),
    output: () => result({ content: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ source, destination, overwrite }, ctx) {
      const { move, checkMove } = await import("../../disk/transfer/move.ts");
      const sandbox = await sandboxes.of(ctx);
      const check = () => checkMove(sandbox, source, destination, ctx.signal);
      const wanted = { source, destination, overwrite, allowDelete, openTrash, check };
      const { replaced, trash } = await confirmReplacement(sandbox, wanted, ctx);
      const { undo, loss, newParent } = await move(sandbox, source, destination, { overwrite: replaced, trash, signal: ctx.signal });
      const content = `Successfully moved ${escapeControls(source)} to ${escapeControls(destination)}`;
      return {
        content: withUndo(content, undo, replaced && openTrash !== undefined, transferRemarks(newParent, loss)),
        structured: { content, replaced, undo },
      };
    },
  });
