// stdout belongs to the protocol: prints of handlers and libraries land on stderr, and so does what children inherit.
// Only a write to the bare descriptor (fs.writeSync(1, …)) passes by.
import type { ChildProcess } from "node:child_process";

/** Writes text to the real stdout; `done` is called once it has been handed over. False: the reader is behind, wait for `drain`. */
export type Write = (text: string, done?: () => void) => boolean;

let write: Write | undefined;

/** Takes stdout, once for the process; gives the only way left to write there. */
export function guardStdout(): Write {
  if (write !== undefined) return write;
  const { stdout, stderr } = process;
  write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // Whoever ends it would end the conversation.
  stdout.end = () => stdout;
  return write;
}

let guarded = false;

/**
 * The same for children, once for the process. Separate, because loading what starts children takes a millisecond that the
 * answer to `initialize` need not wait for.
 */
export function guardChildren(): void {
  if (guarded) return;
  guarded = true;
  const childProcess = process.getBuiltinModule("node:child_process");
  // Every asynchronous way to start a child passes here; Node's own, undocumented but unchanged since its first release.
  const children: { spawn(options: object): unknown } = childProcess.ChildProcess.prototype as ChildProcess & {
    spawn(options: object): unknown;
  };
  const { spawn } = children;
  children.spawn = function (options) {
    return spawn.call(this, redirected(options));
  };
  for (const name of ["spawnSync", "execSync", "execFileSync"] as const) {
    const original = childProcess[name] as (...args: unknown[]) => unknown; // the three differ in their overloads only
    const guarded = (...args: unknown[]): unknown => original(...args.map((value) => redirected(value)));
    Object.assign(childProcess, { [name]: guarded });
  }
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
}

/** Options with our stdout in them, sent to stderr instead; anything else as it is. */
function redirected<T>(options: T): T {
  if (typeof options !== "object" || options === null || !("stdio" in options)) return options;
  const { stdio } = options;
  if (stdio === "inherit") return { ...options, stdio: ["inherit", 2, "inherit"] };
  if (!Array.isArray(stdio) || !(stdio[1] === "inherit" || stdio[1] === 1 || stdio[1] === process.stdout)) return options;
  return { ...options, stdio: stdio.with(1, 2) };
}
