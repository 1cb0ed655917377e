/** The checker: holds what clients received against what the nodes did. Each violation is one sentence that begins with its invariant. */
import type { JournalLine } from "../fixture/journal.ts";
import { tracesOf, type CallTrace } from "./call-trace.ts";
import { Excuses } from "./excuses.ts";
import type { CallRecord, ChangeRecord } from "./records.ts";
import type { Recorder } from "./recorder.ts";

export interface Verdict {
  readonly violations: readonly string[];
  /** Calls that failed although no fault excuses it; their sentences are among the violations. */
  readonly unexcused: readonly CallRecord[];
  readonly traces: ReadonlyMap<string, CallTrace>;
  readonly checked: { readonly calls: number; readonly messages: number; readonly notices: number };
}

/** A cancelled call stops on its node within this time. */
const CANCEL_MS = 1500;
/** A subscriber hears of a change within this time. */
const NOTICE_MS = 3000;

export function check(recorder: Recorder, journal: Iterable<JournalLine>): Verdict {
  const traces = tracesOf(journal);
  const excuses = new Excuses(recorder.faults);
  const violations = [...recorder.violations];
  const describe = describer(recorder, excuses);
  const unexcused: CallRecord[] = [];
  let messages = 0;
  for (const record of recorder.calls.values()) {
    const trace = traces.get(record.call);
    messages += record.logs.length;
    violations.push(...callViolations(record, trace, describe));
    if (record.outcome === "error" && !excuses.isExcused(record, trace)) {
      unexcused.push(record);
      violations.push(`Error outside of faults: ${describe(record, trace)}: ${record.error}`);
    }
    const cancelProblem = cancelViolation(record, trace, excuses, describe);
    if (cancelProblem !== undefined) violations.push(cancelProblem);
  }
  violations.push(...listenerViolations(recorder));
  const { sentences, count } = noticeViolations(recorder, excuses);
  violations.push(...sentences);
  return { violations, unexcused, traces, checked: { calls: recorder.calls.size, messages, notices: count } };
}

type Describe = (record: CallRecord, trace: CallTrace | undefined) => string;

/** Names a call, with the seconds of the run in which it ran, and the faults at that time. */
function describer({ startedAt: runStartedAt }: Recorder, excuses: Excuses): Describe {
  const seconds = (at: number): string => ((at - runStartedAt) / 1000).toFixed(1);
  return ({ call, act, client, startedAt, endedAt }, trace) => {
    const time = `${seconds(startedAt)}–${endedAt === undefined ? "" : seconds(endedAt)} s`;
    const faults = excuses.during(startedAt, endedAt ?? Infinity).map(({ kind, node }) => `${kind}${node === undefined ? "" : ` ${node}`}`);
    return `${act} ${call} (${[client.kind, `ran on ${trace?.nodes.join(", ") ?? "no node"}`, time, ...faults].join(", ")})`;
  };
}

/** I2, I3 and I4 for one call. */
function callViolations(record: CallRecord, trace: CallTrace | undefined, describe: Describe): string[] {
  const found: string[] = [];
  const add = (invariant: string, text: string): void => void found.push(`${invariant}: ${describe(record, trace)} ${text}`);
  const { logs, progress, questions, expectedLogs, outcome } = record;
  if (outcome === undefined) add("I3", "has no end");
  if (record.wrongResult !== undefined) add("I3", `has the result ${record.wrongResult}`);
  if (logs.some((number, index) => number !== index + 1)) add("I2", `got its messages as ${logs.join(" ")}`);
  if (outcome === "ok" && logs.length !== expectedLogs) add("I2", `got ${logs.length} of ${expectedLogs} messages`);
  if (trace !== undefined && logs.length > trace.counts.log) add("I2", `got ${logs.length} messages, and ${trace.counts.log} were sent`);
  if (progress.some((done, index) => done <= (progress[index - 1] ?? 0))) add("I2", `got its progress as ${progress.join(" ")}`);
  if (new Set(questions).size !== questions.length) add("I4", `was asked ${questions.join(" ")}`);
  if (trace === undefined) {
    if (outcome === "ok" && record.act !== "connect" && record.act !== "probe") add("I3", "succeeded without a run");
    return found;
  }
  const { start, effect } = trace.counts;
  if (effect > 1) add("I3", `took effect ${effect} times`);
  // Without a session a handler begins anew after each answer.
  const allowed = record.client.era === "stateless" && record.act === "ask" ? questions.length + 4 : 1;
  if (record.act !== "grow" && start > allowed) add("I3", `began ${start} times`);
  return found;
}

/** I5: a cancelled call stops on its node. */
function cancelViolation(record: CallRecord, trace: CallTrace | undefined, excuses: Excuses, describe: Describe): string | undefined {
  const { cancelledAt, outcome } = record;
  if (record.act !== "wait" || cancelledAt === undefined || outcome !== "cancelled" || trace === undefined || trace.counts.start === 0)
    return undefined;
  if (excuses.during(record.startedAt, cancelledAt + CANCEL_MS).length > 0) return undefined;
  const stoppedAt = trace.abortedAt ?? trace.endedAt;
  if (stoppedAt !== undefined && stoppedAt <= cancelledAt + CANCEL_MS) return undefined;
  return `I5: ${describe(record, trace)} was cancelled and ${stoppedAt === undefined ? "did not stop" : `stopped after ${stoppedAt - cancelledAt} ms`}`;
}

/** A pause of the engine closes no listener. */
function listenerViolations({ brokenStreams, faults }: Recorder): string[] {
  const pauses = faults.filter(({ kind }) => kind === "pause engine");
  return brokenStreams
    .filter(({ at, isListener }) => isListener && pauses.some(({ from, to }) => from <= at && at <= to))
    .map(
      ({ client, isComplete }) =>
        `A listener of ${client.name} (${client.kind}) was ${isComplete ? "ended" : "broken"} while the engine paused`,
    );
}

/** I7: after a change each subscriber has been notified since. One sentence for each subscription that was not. */
function noticeViolations(
  { changes, subscriptions, startedAt: runStartedAt }: Recorder,
  excuses: Excuses,
): { sentences: string[]; count: number } {
  const seconds = (at: number): string => ((at - runStartedAt) / 1000).toFixed(1);
  const sentences: string[] = [];
  let count = 0;
  for (const { client, connection, item, acceptedAt, closedAt, notifiedAt } of subscriptions) {
    if (connection.wasRefusedListener && !client.asksAgain) continue;
    const missed: ChangeRecord[] = [];
    for (const change of changes) {
      const latest = excuses.settledAfter(change.startedAt, change.endedAt + NOTICE_MS, NOTICE_MS);
      if (change.item !== item || acceptedAt > change.startedAt || closedAt < latest) continue;
      count++;
      if (!notifiedAt.some((at) => at >= change.startedAt && at <= latest)) missed.push(change);
    }
    const [first] = missed;
    const last = missed.at(-1);
    if (first === undefined || last === undefined) continue;
    const heard = (from: number): string =>
      notifiedAt
        .filter((at) => at >= from)
        .map(seconds)
        .slice(0, 3)
        .join(" ") || "nothing";
    sentences.push(
      `I7: ${client.name} (${client.kind}), subscribed to ${item} from ${seconds(acceptedAt)} s, did not hear in time of ${missed.length} changes from ${seconds(first.startedAt)} to ${seconds(last.endedAt)} s; it heard ${heard(first.startedAt)} after the first, and ${heard(last.startedAt)} after the last`,
    );
  }
  return { sentences, count };
}
