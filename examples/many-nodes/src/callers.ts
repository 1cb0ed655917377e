/** The clients of the example: one in a session, one without. Each calls again and again, and reports where its calls ran. */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Client } from "@oarlock/client";

export interface CallReport {
  readonly at: number;
  /** "session" or "stateless". */
  readonly caller: string;
  readonly tool: string;
  /** The result, or the error. */
  readonly text: string;
  readonly ms: number;
  readonly isError: boolean;
}

const REVISIONS = { session: "2025-11-25", stateless: "2026-07-28" } as const;
export const CALLERS = ["session", "stateless"] as const;

const PAUSE_MS = 250;

/** Calls until the signal is aborted. */
export async function callAgainAndAgain(
  caller: (typeof CALLERS)[number],
  url: string,
  report: (call: CallReport) => void,
  ending: AbortSignal,
): Promise<void> {
  let client: Client | undefined;
  for (let turn = 0; !ending.aborted; turn++) {
    const tool = turn % 8 === 7 ? "count" : "where";
    const startedAt = Date.now();
    const done = (text: string, isError: boolean): void =>
      report({ at: startedAt, caller, tool, text, ms: Date.now() - startedAt, isError });
    try {
      client ??= await connect({ url }, { revision: REVISIONS[caller], cache: false, timeoutMs: 30_000 });
      const { content } = await client.call(tool, tool === "count" ? { to: 5 } : {}, { signal: ending });
      const [block] = content;
      done(block?.type === "text" ? block.text : "no text", false);
    } catch (error) {
      if (!ending.aborted) done(error instanceof Error ? error.message : String(error), true);
    }
    await sleep(PAUSE_MS, undefined, { signal: ending }).catch(() => undefined);
  }
  await client?.close().catch(() => undefined);
}
