// Calls by the hundred, half of which are aborted: nothing of them may stay (security case KIT-12).
import { getEventListeners } from "node:events";
import { expect, vi } from "vitest";
import { tool } from "../../src/index.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { ABLE, talk } from "./talk.ts";

const AT_ONCE = 50;

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/** Makes `count` calls: half of them go to a tool that waits and are aborted, half to one that answers at once. */
export async function abortHalf(name: string, count: number): Promise<void> {
  const warned = vi.fn<(warning: Error) => void>();
  process.on("warning", warned);
  try {
    const signals = new Set<AbortSignal>();
    const server = sampleServer({ limits: { callsPerSecond: 1e6, concurrency: 1000 } });
    server.tools.add(tool({ name: "spied", run: (_input, { signal }) => (signals.add(signal), "spied") }));
    await using client = await talk(server, { capabilities: ABLE });
    const base = timers();
    for (let done = 0; done < count / 2; done += AT_ONCE) {
      const ids = Array.from({ length: AT_ONCE }, (_, at) => client.begin("tools/call", { name, arguments: { ms: 100_000 } }, done + at));
      await client.settled();
      for (const requestId of ids) client.note("notifications/cancelled", { requestId });
      await Promise.all(ids.map(() => client.replyText("spied")));
      await client.settled();
      client.received.length = 0;
    }
    expect(timers()).toBeLessThanOrEqual(base + 1);
    for (const signal of signals) expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(signals.size).toBe(count / 2);
    expect(warned).not.toHaveBeenCalled();
  } finally {
    process.off("warning", warned);
  }
}
