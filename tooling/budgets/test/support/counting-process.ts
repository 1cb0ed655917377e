/** Counting process: a child process that counts allocations and reports them. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export function forked(file: string, args: readonly string[] = [], flags: readonly string[] = []): ChildProcess {
  const execArgv = ["--conditions=oarlock-source", ...flags];
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv, stdio: ["pipe", "pipe", "inherit", "ipc"] });
}

/** Its next message; throws when it ends before. */
export async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const gone = once(child, "exit", { signal: over.signal }).then(([code]) => Promise.reject(new Error(`it ended with ${String(code)}`)));
  gone.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, "message", { signal: over.signal }), gone])) as [T];
    return message;
  } finally {
    over.abort();
  }
}
