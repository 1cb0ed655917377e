// Damaged lines: lines of the JSONL file that could not be accepted as they are. They are kept in a side file, which reaches the disk before
// the JSONL file is written without them.
import { basename } from "node:path";
import { counted } from "@oarlock/domain-kit";
import { JsonlFile } from "./jsonl-file.ts";
import { appendTo } from "./mirror-file.ts";

export interface Damage {
  readonly number: number;
  readonly reason: string;
  /** The bytes in the file; empty where the line is not to be kept. */
  readonly raw: Buffer;
}

export const DUPLICATE_ENTITY = "another line has the same name; the observations were added to that entity";
export const DUPLICATE_RELATION = "another line has the same relation";

const MAX_REPORTED = 10;

const sidePath = (mirror: string): string => `${mirror}.damaged`;

/** The lines of a file that hold no record. */
export function* findDamagedLines(path: string): Generator<Omit<Damage, "raw">> {
  using file = new JsonlFile(path);
  for (const { number, parsed } of file.lines()) if (parsed.kind === "damaged") yield { number, reason: parsed.reason };
}

export function keepDamagedLines(mirror: string, damages: readonly Damage[]): void {
  const lines = damages.filter(({ raw }) => raw.length > 0);
  if (lines.length === 0) return;
  appendTo(sidePath(mirror), Buffer.concat(lines.flatMap(({ raw }) => [raw, Buffer.from("\n")])), { creates: true });
}

/** One sentence for the log, with the line numbers and reasons. */
export function reportDamage({ path, readOnly }: { path: string; readOnly: boolean }, damages: readonly Damage[]): string {
  const reasons = damages.slice(0, MAX_REPORTED).map(({ number, reason }) => `line ${number}: ${reason}`);
  if (damages.length > MAX_REPORTED) reasons.push(`and ${damages.length - MAX_REPORTED} more`);
  const kept = readOnly ? "" : ` and kept in ${basename(sidePath(path))}`;
  return `${counted(damages.length, "line")} of ${basename(path)} not accepted${kept} (${reasons.join("; ")})`;
}
