// The sealer of all cursors of this process.
import { CursorSealer } from "@oarlock/domain-kit";

export const cursors = new CursorSealer();
