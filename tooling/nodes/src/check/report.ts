/** The report of a run: what each kind of client saw during each kind of fault, and the counts of everything that was checked. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { describeError } from "./error-kinds.ts";
import { Excuses } from "./excuses.ts";
import { FAULT_KINDS, type CallRecord, type FaultKind } from "./records.ts";
import type { Recorder } from "./recorder.ts";
import type { Verdict } from "./checker.ts";

interface Cell {
  ok: number;
  cancelled: number;
  readonly errors: Map<string, number>;
}

/** Sentences that are printed at most. */
const MAX_SENTENCES = 40;

export function report(recorder: Recorder, verdict: Verdict): string {
  const { checked, violations, unexcused } = verdict;
  const counts = (prefix: string): number => violations.filter((text) => text.startsWith(prefix)).length;
  return [
    faultTable(recorder),
    "",
    `${checked.calls} calls, ${recorder.events} events, ${checked.messages} messages, ${checked.notices} notices checked.`,
    `HTTP: ${[...recorder.statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}`,
    `Streams that ended before their client: ${streamCounts(recorder)}`,
    `Connections whose standing stream was refused: ${deafCount(recorder)}, which hear of no change and are not counted.`,
    `Lost or doubled messages: ${counts("I2")}. Requests without exactly one end: ${counts("I3")}. Errors outside of faults: ${unexcused.length}.`,
    ...violations.slice(0, MAX_SENTENCES),
    ...(violations.length > MAX_SENTENCES ? [`… and ${violations.length - MAX_SENTENCES} more`] : []),
    violations.length === 0 ? "No violation." : `${violations.length} violations.`,
  ].join("\n");
}

/** One row for each kind of fault, one column for each kind of client. */
function faultTable(recorder: Recorder): string {
  const excuses = new Excuses(recorder.faults);
  const kinds = [...new Set([...recorder.calls.values()].map(({ client }) => client.kind))].toSorted();
  const cells = new Map<string, Cell>();
  for (const record of recorder.calls.values()) {
    const faults = new Set(excuses.during(record.startedAt, record.endedAt ?? Infinity).map(({ kind }) => kind));
    for (const fault of faults.size === 0 ? ["none" as const] : faults) count(cells, `${fault}/${record.client.kind}`, record);
  }
  const rows = (["none", ...FAULT_KINDS] as const).filter((fault) => kinds.some((kind) => cells.has(`${fault}/${kind}`)));
  const times = (fault: FaultKind | "none"): string =>
    fault === "none" ? "no fault" : `${fault} ×${recorder.faults.filter(({ kind }) => kind === fault).length}`;
  const lines = rows.map((fault) => [times(fault), ...kinds.map((kind) => describeCell(cells.get(`${fault}/${kind}`)))]);
  return markdownTable(["fault", ...kinds], lines);
}

function count(cells: Map<string, Cell>, key: string, { outcome, error = "no end" }: CallRecord): void {
  const cell = cells.get(key) ?? { ok: 0, cancelled: 0, errors: new Map<string, number>() };
  cells.set(key, cell);
  if (outcome === "ok") cell.ok++;
  else if (outcome === "cancelled") cell.cancelled++;
  else cell.errors.set(describeError(error), (cell.errors.get(describeError(error)) ?? 0) + 1);
}

function describeCell(cell: Cell | undefined): string {
  if (cell === undefined) return "–";
  const errors = [...cell.errors].map(([kind, number]) => `${number} ${kind}`);
  return [`${cell.ok + cell.cancelled} ok`, ...errors].join(", ");
}

/** Connections of clients that do not ask again. */
const deafCount = ({ subscriptions }: Recorder): number =>
  new Set(
    subscriptions
      .filter(({ client, connection }) => connection.wasRefusedListener && !client.asksAgain)
      .map(({ connection }) => connection),
  ).size;

function streamCounts({ brokenStreams }: Recorder): string {
  const number = (isListener: boolean, isComplete: boolean): number =>
    brokenStreams.filter((stream) => stream.isListener === isListener && stream.isComplete === isComplete).length;
  return `${number(true, false)} listeners broken, ${number(true, true)} listeners ended by a node, ${number(false, false)} others broken.`;
}
