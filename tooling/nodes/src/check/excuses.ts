/** Which faults excuse a failed call. */
import { describeError } from "./error-kinds.ts";
import { NODE_FAULTS, type CallRecord, type FaultRecord } from "./records.ts";
import type { CallTrace } from "./call-trace.ts";

export class Excuses {
  readonly #faults: readonly FaultRecord[];

  constructor(faults: readonly FaultRecord[]) {
    this.#faults = faults;
  }

  /** Whether a fault explains the error. Draining excuses none. */
  isExcused(record: CallRecord, trace: CallTrace | undefined): boolean {
    const { startedAt, endedAt = Infinity } = record;
    return this.#faults.some((fault) => {
      if (isSessionOfLostEngine(record, fault)) return true;
      if (fault.from > endedAt || fault.to < startedAt) return false;
      if (fault.kind === "drain node" || fault.kind === "rolling restart") return false;
      // Streams of the stateless era cannot be resumed.
      if (fault.kind === "break streams") return record.client.era === "stateless";
      if (NODE_FAULTS.includes(fault.kind)) return isNodeInvolved(record, trace, fault);
      // While the engine is away, stateless requests are served; only tasks need it.
      return record.client.era === "sessions" || record.act === "job";
    });
  }

  during(from: number, to: number): FaultRecord[] {
    return this.#faults.filter((fault) => fault.from <= to && fault.to >= from);
  }

  /** `until`, or `settleMs` after the last fault that overlaps the time from `from` on. */
  settledAfter(from: number, until: number, settleMs: number): number {
    let latest = until;
    for (const fault of this.#faults.toSorted((one, other) => one.from - other.from)) {
      if (fault.from <= latest && fault.to >= from) latest = Math.max(latest, fault.to + settleMs);
    }
    return latest;
  }
}

/** An engine without persistence forgets the sessions; a client notices at its next request. */
const isSessionOfLostEngine = ({ client, error, startedAt }: CallRecord, { losesData, from, to }: FaultRecord): boolean =>
  losesData === true &&
  client.era === "sessions" &&
  client.connectedAt < to &&
  startedAt > from &&
  describeError(error ?? "") === "404 session";

/**
 * A dead node excuses calls that it ran, and calls that never began. It also excuses questions: their answer may have been sent to the
 * dead node, and no client sends it again.
 */
function isNodeInvolved({ act }: CallRecord, trace: CallTrace | undefined, { node = "" }: FaultRecord): boolean {
  if (trace === undefined || trace.nodes.includes(node)) return true;
  return act === "ask";
}
