// How long the page was busy at a stretch, in CPU time: other programs on the machine do not count.
import type { Page } from "puppeteer-core";

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU time of the thread, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** Starts to record. The returned function ends it and resolves with the longest task of a page, in milliseconds. */
export async function recordTasks(page: Page): Promise<() => Promise<number>> {
  await page.tracing.start({ categories: ["toplevel"] });
  return async () => {
    const recorded = await page.tracing.stop();
    const { traceEvents } = JSON.parse(new TextDecoder().decode(recorded)) as { traceEvents: TraceEvent[] }; // written by Chromium
    const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
    const pages = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain").map(threadOf));
    const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && pages.has(threadOf(event)));
    if (tasks.length === 0) throw new Error("The trace has no tasks.");
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  };
}
