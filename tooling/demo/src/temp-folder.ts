// A temporary folder that goes with the scene it was made for.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TempFolder extends Disposable {
  readonly path: string;
  /** The absolute path of something inside. */
  at(...names: string[]): string;
  read(name: string): string;
  /** Writes a file, and the folders above it. */
  write(name: string, content: string): void;
}

export function tempFolder(): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-demo-")));
  // Also where the demo is ended by force.
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    path,
    at: (...names) => join(path, ...names),
    read: (name) => readFileSync(join(path, name), "utf8"),
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
    },
    [Symbol.dispose]() {
      remove();
      process.off("exit", remove);
    },
  };
}
