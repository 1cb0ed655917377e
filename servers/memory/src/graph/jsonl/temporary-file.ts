// Temporary files, which are written beside a file and then take its name, so that every reader sees either the old or the new content.
// `fs.promises` is read on first use: it loads ten modules of Node, and most sessions write no JSONL file.
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemErrorCode } from "@oarlock/domain-kit";

const OWN_NAME = /\.oarlock-(\d+)-[0-9a-z]+\.tmp$/;

/** Writes a file to the disk and returns its path. Leaves nothing behind when that fails. */
export async function writeTemporaryFile(
  target: string,
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Promise<string> {
  const path = `${target}.oarlock-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    const file = await fs.promises.open(path, "wx", 0o600);
    try {
      for await (const piece of pieces) {
        if (piece.length === 0) continue;
        // `writeFile` of a handle continues at the end of the last write.
        await file.writeFile(piece);
      }
      // Without it the file could be empty after a power failure, though it has taken the name.
      await file.datasync();
    } finally {
      await file.close();
    }
    return path;
  } catch (error) {
    await fs.promises.rm(path, { force: true });
    throw error;
  }
}

/** Removes temporary files of processes that have ended. Returns the names of temporary files of other programs, which stay. */
export function removeTemporaryFiles(target: string): string[] {
  const folder = dirname(target);
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(`${basename(target)}.`) && name.endsWith(".tmp"));
  return names.filter((name) => {
    const [, pid] = OWN_NAME.exec(name) ?? [];
    if (pid === undefined) return true;
    if (!isRunning(Number(pid))) fs.rmSync(join(folder, name), { force: true });
    return false;
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
