// The folders that a walk has entered: the open ones are closed at its end, and each is entered once.
import type { FolderHandle } from "../access/sandbox.ts";
import { isProc } from "../access/handles/proc-device.ts";

export class EnteredFolders implements Disposable {
  readonly #open = new Set<FolderHandle>();
  readonly #identities = new Set<string>();

  /** `start` belongs to the caller of the walk, who closes it. */
  constructor(start: FolderHandle) {
    this.#identities.add(identityOf(start));
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** False, and closes the folder, where it must not be walked: /proc, and a folder that is mounted in two places and was entered. */
  enter(folder: FolderHandle): boolean {
    const identity = identityOf(folder);
    if (isProc(folder.stat.dev) || this.#identities.has(identity)) {
      folder[Symbol.dispose]();
      return false;
    }
    this.#identities.add(identity);
    this.#open.add(folder);
    return true;
  }

  close(folder: FolderHandle): void {
    if (this.#open.delete(folder)) folder[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const folder of this.#open) folder[Symbol.dispose]();
    this.#open.clear();
  }
}

const identityOf = ({ stat }: FolderHandle): string => `${stat.dev}:${stat.ino}`;
