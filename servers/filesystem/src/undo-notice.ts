// The notice that tells the model how to bring back what a call has deleted or overwritten.
import { text, type Block } from "@oarlock/server-kit";

/** The text of a reply, and the notice in a block of its own, so that the text stays that of the reference server. */
export const withUndo = (content: string, undo: string | undefined): string | Block[] =>
  undo === undefined ? content : [text(content), text(`To undo this, call undo_change with the id ${undo}.`)];
