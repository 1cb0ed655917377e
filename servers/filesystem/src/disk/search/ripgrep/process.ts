// ripgrep's own binary in a child. It gets no shell, no environment, no input, and its directory by a handle: what has become of
// the directory's name meanwhile does not matter. Held files are handed over as open handles.
import type { SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { DiskError } from "../../errors.ts";
import { ERROR_BYTES, type Ended, type Engine, type Ground, type Work } from "../contents/engine.ts";

const FIRST_FD = 3;
/** Not from here: what it has not looked at is missing, and nobody could tell. */
const KILLED = "The system ended the search before it was done, most likely for lack of memory. Narrow it down, or try again.";

/** Where the package of this platform has the binary; undefined when there is none. */
export function findBinary(): string | undefined {
  try {
    const platform = createRequire(fileURLToPath(import.meta.resolve("@vscode/ripgrep")));
    const found = platform.resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${process.platform === "win32" ? "rg.exe" : "rg"}`,
    );
    return existsSync(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

export const binaryAt = (file: string): Engine => ({
  name: "binary",
  run: (work) => run(file, work),
  // A handle of its own: on Linux the name leads to the file, elsewhere to the handle.
  fileName: (index) => `${process.platform === "linux" ? "/proc/self/fd" : "/dev/fd"}/${FIRST_FD + index}`,
});

/** Without PATH and HOME there is nothing for it to find; Windows starts no program without its own directory. */
const environment = (): Record<string, string> =>
  process.platform === "win32" ? { SystemRoot: process.env["SystemRoot"] ?? String.raw`C:\Windows` } : {};

async function run(file: string, { args, ground, signal, output }: Work): Promise<Ended> {
  // 3 ms of start-up that most sessions never need.
  const { spawn } = await import("node:child_process");
  if (signal.aborted) return { code: undefined, errors: "" };
  const child = spawn(file, args, optionsOf(ground));
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  let errors = "";
  let ended = false;
  const end = () => {
    ended = true;
    child.kill("SIGKILL");
  };
  signal.addEventListener("abort", end, { once: true });
  // A child outlives its parent unless somebody sees to it.
  process.once("exit", end);
  child.stdout?.on("data", (chunk: Buffer) => {
    if (!ended && output(chunk)) end();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (errors.length < ERROR_BYTES) errors += chunk.toString().slice(0, ERROR_BYTES);
  });
  child.on("error", reject);
  child.on("close", (code) => {
    if (ended) resolve({ code: undefined, errors });
    else if (code === null) reject(new DiskError("io", KILLED));
    else resolve({ code, errors });
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", end);
    process.removeListener("exit", end);
  }
}

function optionsOf(ground: Ground): SpawnOptions {
  const fds = "fds" in ground ? ground.fds : [];
  return {
    cwd: "folder" in ground ? ground.folder : "/",
    env: environment(),
    stdio: ["ignore", "pipe", "pipe", ...fds],
    windowsHide: true,
    shell: false,
  };
}
