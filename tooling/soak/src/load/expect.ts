/** Whether an answer is the one that should have come. */
import type { CallToolResult } from "@oarlock/server-kit/protocol";

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

export const textOf = ({ content }: CallToolResult): string => content.map((block) => (block.type === "text" ? block.text : "")).join("\n");

/** A call that must succeed; returns its text. */
export async function succeeds(call: Promise<CallToolResult>): Promise<string> {
  const result = await call;
  const text = textOf(result);
  must(result.isError !== true, `a call failed: ${text.slice(0, 300)}`);
  return text;
}

/** A call or request that must fail, by an error or by a result with `isError`. */
export async function fails(call: Promise<unknown>): Promise<void> {
  const result = await call.catch(() => undefined);
  must(
    result === undefined || (result as CallToolResult).isError === true,
    `what must fail was answered: ${JSON.stringify(result)?.slice(0, 300)}`,
  );
}

/** Waits for a message that the server sends by itself. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`${what} did not come within ${ms} ms`)), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Generous, as machines are busy: only a fault uses it up. */
export const SOON_MS = 60_000;
