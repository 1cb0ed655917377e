// A copy of the database as it is at one moment, made page by page while others go on.
import type { BackupAsked, BackupTold } from "../requests.ts";
import type { Engine } from "./engine.ts";

export async function backup({ db }: Engine, { file }: BackupAsked, progress: (done: number, total: number) => void): Promise<BackupTold> {
  const { totalPages } = await db.backup(file, {
    progress({ totalPages: total, remainingPages }) {
      progress(total - remainingPages, total);
      return 500;
    },
  });
  return { pages: totalPages };
}
