// A lock between processes: a file that exists while one of them holds it.
import { open, rm, stat } from "node:fs/promises";

/** A process that has died leaves its file; no process holds the lock for so long. */
const STALE_MS = 30_000;
const RETRY_MS = 25;

/** Runs the action while no other process holds the lock. */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  while (!(await isTaken(path))) {
    await removeStale(path);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * (1 + Math.random())));
  }
  try {
    return await action();
  } finally {
    await rm(path, { force: true });
  }
}

/** Takes the lock; false while another process holds it. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function removeStale(path: string): Promise<void> {
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0, // it has just been released
  );
  if (age > STALE_MS) await rm(path, { force: true });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
