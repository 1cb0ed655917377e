// What a stranger who can write in the folder of a memory puts beside it: links, pipes and databases.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

/** Opened at both ends, so that a server that opens it, too, fails instead of waiting for ever. */
export function plantPipe(path: string): Disposable {
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return { [Symbol.dispose]: () => closeSync(fd) };
}
