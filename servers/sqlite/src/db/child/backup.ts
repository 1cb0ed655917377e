// A copy of the database as it is at one moment, made page by page while others go on.
import type { BackupAsked, BackupTold } from "../requests.ts";
import { DbError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import { codeOf } from "./patient.ts";

export async function backup({ db }: Engine, { file }: BackupAsked, progress: (done: number, total: number) => void): Promise<BackupTold> {
  try {
    const { totalPages } = await db.backup(file, {
      progress({ totalPages: total, remainingPages }) {
        progress(total - remainingPages, total);
        return 500;
      },
    });
    return { pages: totalPages };
  } catch (error) {
    // The database itself is open already.
    if (!codeOf(error).startsWith("SQLITE_CANTOPEN")) throw error;
    throw new DbError("read-only", "The copy cannot be made there: its folder may not be written to, or the path is too long");
  }
}
