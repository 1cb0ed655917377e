// The notice that tells the model how to bring back what a call has deleted or overwritten.
import { text, type Block } from "@oarlock/server-kit";

/**
 * The text of a reply, and the notice in a block of its own, so that the text stays that of the reference server.
 * @param isLost The call has overwritten something that the trash should have kept, and could not.
 */
export function withUndo(content: string, undo: string | undefined, isLost = false): string | Block[] {
  if (undo !== undefined) return [text(content), text(`To undo this, call undo_change with the id ${undo}.`)];
  return isLost ? [text(content), text("This cannot be undone: what was there before could not be kept.")] : content;
}
