// Cursors of truncated lists: the position of the next page, sealed for its query.
import { CursorSealer } from "@oarlock/domain-kit";

/** The key is random: cursors end with the process. */
export const cursors = new CursorSealer();
