// The notice that tells the model how to bring back what a call has deleted or overwritten.
import { escapeControls } from "@oarlock/domain-kit";
import { text, type Block } from "@oarlock/server-kit";

/**
 * The text of a reply, and the notice in a block of its own, so that the text stays that of the reference server.
 * @param isLost The call has overwritten something that the trash should have kept, and could not.
 * @param remarks What the caller may not expect of the new file, such as what it has not got from the old one; may be empty.
 */
export function withUndo(content: string, undo: string | undefined, isLost = false, remarks = ""): string | Block[] {
  const notices: Block[] = [];
  if (undo !== undefined) notices.push(text(`To undo this, call undo_change with the id ${undo}.`));
  else if (isLost) notices.push(text("This cannot be undone: what was there before could not be kept."));
  if (remarks !== "") notices.push(text(remarks));
  return notices.length === 0 ? content : [text(content), ...notices];
}

/** Remarks of a move or a copy. `newParent`: the directory that it created for its destination, which a wrong name would create too. */
export const transferRemarks = (newParent: string | undefined, loss: string | undefined): string =>
  [newParent === undefined ? "" : `Made the directory ${escapeControls(newParent)}.`, loss ?? ""].filter((one) => one !== "").join(" ");
