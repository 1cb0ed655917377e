// Cursors of cut lists: where a list goes on, sealed for the query that it belongs to.
import { CursorSealer } from "@oarlock/domain-kit";

/** The key is random: cursors end with the process. */
export const cursors = new CursorSealer();
