// Files that are written beside the mirror and then take its name, so that whoever reads it sees the old or the new one. Each has a
// name of its own. (`fs.promises` is taken when it is used: it loads ten modules of Node, and most sessions write no mirror.)
import fs from "node:fs";
import { basename, dirname, join } from "node:path";

const OWN = /\.oarlock-(\d+)-[0-9a-z]+\.tmp$/;

/** Writes to the disk, and gives the path. Nothing is left where that fails. */
export async function writeTemporary(mirror: string, pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>): Promise<string> {
  const path = `${mirror}.oarlock-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
  try {
    const file = await fs.promises.open(path, "wx", 0o600);
    try {
      for await (const piece of pieces) {
        if (piece.length === 0) continue;
        // `writeFile` of a handle goes on from where the last one ended, until everything is written.
        await file.writeFile(piece);
      }
      // A name that leads to bytes which never reached the disk would be an empty file after a power failure.
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

/** Removes what processes that are gone have left; gives what others left, which is not touched. */
export function clearTemporaries(mirror: string): string[] {
  const prefix = basename(mirror);
  const names = fs.readdirSync(dirname(mirror)).filter((name) => name.startsWith(`${prefix}.`) && name.endsWith(".tmp"));
  return names.filter((name) => {
    const [, pid] = OWN.exec(name) ?? [];
    if (pid === undefined) return true;
    if (!isAlive(Number(pid))) fs.rmSync(join(dirname(mirror), name), { force: true });
    return false;
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
