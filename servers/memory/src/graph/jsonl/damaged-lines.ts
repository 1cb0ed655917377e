// The side file: lines of a mirror that could not be taken as they stood. They are brought to the disk before the mirror is written
// without them.
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import type { Damage } from "./first-import.ts";

export const sidePath = (mirror: string): string => `${mirror}.damaged`;

/** A few lines for the log. */
const TOLD = 10;

export function setAside(mirror: string, damages: readonly Damage[]): void {
  const kept = damages.filter(({ raw }) => raw.length > 0);
  if (kept.length === 0) return;
  const file = openSync(sidePath(mirror), constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW, 0o600);
  try {
    for (const { raw } of kept) writeSync(file, Buffer.concat([raw, Buffer.from("\n")]));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What is said about it: where, and why. */
export function reportOf({ path, readOnly }: { path: string; readOnly: boolean }, damages: readonly Damage[]): string {
  const lines = damages.slice(0, TOLD).map(({ number, why }) => `line ${number}: ${why}`);
  if (damages.length > TOLD) lines.push(`and ${damages.length - TOLD} more`);
  const kept = readOnly ? "" : ` and are kept in ${basename(sidePath(path))}`;
  return `${damages.length} lines of ${basename(path)} could not be taken as they stand${kept} (${lines.join("; ")})`;
}
