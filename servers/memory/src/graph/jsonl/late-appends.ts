// A program that had the mirror open when another file took its name writes to one that no longer has a name. What it appends there
// is brought over.
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";

/** More than this is no line that somebody appended. */
const MOST = 16 * 1024 * 1024;

export class LeftBehind {
  readonly #path: string;
  #held: { readonly fd: number; readonly size: number } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Before another file takes the name. */
  hold(): void {
    this.bringOver();
    // There a file that is open keeps its name.
    if (process.platform === "win32") return;
    const fd = openSync(this.#path, "r");
    this.#held = { fd, size: fstatSync(fd).size };
  }

  /** Some time after it. */
  bringOver(): void {
    if (this.#held === undefined) return;
    const { fd, size } = this.#held;
    this.#held = undefined;
    try {
      const more = fstatSync(fd).size - size;
      if (more <= 0 || more > MOST) return;
      const bytes = Buffer.alloc(more);
      appendFileSync(this.#path, bytes.subarray(0, readSync(fd, bytes, 0, more, size)));
    } finally {
      closeSync(fd);
    }
  }
}
