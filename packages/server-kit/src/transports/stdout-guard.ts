// guardStdout: reserves stdout for protocol messages. Output of handlers and libraries, and of children that inherit stdout, goes to
// stderr. Only a write to the file descriptor itself (fs.writeSync(1, …)) gets past it.
import childProcess, { type ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Writes to the real stdout; `done` is called once the text is written, or cannot be. Returns false when the reader is slow: wait for `drain`. */
export type Write = (text: string, done?: (error?: Error | null) => void) => boolean;

let write: Write | undefined;

/** Takes stdout, once for the process. Returns the only function that still writes to it. */
export function guardStdout(): Write {
  if (write !== undefined) return write;
  const { stdout, stderr } = process;
  write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // A library that ends stdout would end the connection.
  stdout.end = () => stdout;
  guardChildren();
  return write;
}

/** Writes to the real stdout, whether it is guarded or not. */
export const writeStdout: Write = (text, done) => (write ?? process.stdout.write.bind(process.stdout))(text, done);

function guardChildren(): void {
  // Every asynchronous way to start a child uses this method: it is Node's own and undocumented, but has not changed since Node 0.8.
  const prototype = childProcess.ChildProcess.prototype as ChildProcess & { spawn(options: object): unknown };
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    return spawn.call(this, redirect(options));
  };
  for (const name of ["spawnSync", "execSync", "execFileSync"] as const) {
    const original = childProcess[name] as (...args: unknown[]) => unknown; // the three differ in their overloads only
    const guarded = (...args: unknown[]): unknown => original(...args.map((value) => redirect(value)));
    Object.assign(childProcess, { [name]: guarded });
  }
  syncBuiltinESMExports();
}

/** Replaces our stdout by stderr in the options of a child; other values stay as they are. */
function redirect<T>(options: T): T {
  if (typeof options !== "object" || options === null || !("stdio" in options)) return options;
  const { stdio } = options;
  if (stdio === "inherit") return { ...options, stdio: ["inherit", 2, "inherit"] };
  if (!Array.isArray(stdio) || !(stdio[1] === "inherit" || stdio[1] === 1 || stdio[1] === process.stdout)) return options;
  return { ...options, stdio: stdio.with(1, 2) };
}
