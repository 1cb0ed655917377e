/** What the nodes did for each call, from their journals. */
import type { JournalLine, Step } from "../fixture/journal.ts";

/** What the journals of the nodes say about one call. */
export interface CallTrace {
  readonly nodes: string[];
  readonly counts: Record<Step, number>;
  abortedAt?: number;
  endedAt?: number;
}

export function tracesOf(journal: Iterable<JournalLine>): Map<string, CallTrace> {
  const traces = new Map<string, CallTrace>();
  for (const { call, node, step, at } of journal) {
    const trace = traces.get(call) ?? { nodes: [], counts: { start: 0, log: 0, effect: 0, end: 0, abort: 0 } };
    traces.set(call, trace);
    trace.counts[step]++;
    if (!trace.nodes.includes(node)) trace.nodes.push(node);
    if (step === "abort") trace.abortedAt = at;
    if (step === "end") trace.endedAt = at;
  }
  return traces;
}
