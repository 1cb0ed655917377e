/** Where the lock for a name is marked. The folder is shared with every other test that writes, and comes and goes. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { digest } from "../../../src/disk/text/hash.ts";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";

const folder = `${existsSync("/dev/shm") ? "/dev/shm" : "/tmp"}/oarlock-locks-${process.getuid?.() ?? 0}`;

export function markOf(sandbox: Sandbox, name: string): string {
  using entry = sandbox.entry(name);
  return join(folder, digest(`${entry.parent.stat.dev} ${entry.parent.stat.ino} ${name}`));
}

/** Makes a mark, though others may take the folder away at that moment. */
export function makeMark(owner: string, mark: string): void {
  for (;;) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      symlinkSync(owner, mark);
      return;
    } catch (error) {
      if (existsSync(folder)) throw error;
    }
  }
}

/** The marks that are there for a name, and those of processes that take it away. */
export function marksOf(mark: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(basename(mark))) : [];
}
