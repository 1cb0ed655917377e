// What every tool is made from.
import { ToolError } from "@oarlock/server-kit";
import type { Databases } from "./db/databases.ts";
import type { Params } from "./db/sql/parameters.ts";
import type { Insights } from "./insights.ts";

export interface Parts {
  readonly databases: Databases;
  readonly insights: Insights;
  /** The most that one reply may weigh, in bytes. */
  readonly maxResultBytes: number;
  /** DELETE and UPDATE of more rows ask the user first. */
  readonly confirmAbove: number;
  /** DROP, and DELETE and UPDATE of many rows, go on without a question. */
  readonly allowDestructive: boolean;
  /** The folder for import, export and backup; without it, that of the database. */
  readonly filesDir: string | undefined;
}

/** What the answer holds beside its rows. */
const AROUND = 6000;

/** Bytes for the rows of a reply. */
export const rowsRoom = (maxResultBytes: number): number => Math.max(1000, maxResultBytes - Math.min(AROUND, maxResultBytes / 3));

/** Bounds of the rows of a reply: texts and BLOBs are cut long before one of them fills it. */
export function roomFor(maxResultBytes: number, limit: number) {
  const bytes = rowsRoom(maxResultBytes);
  return { limit, bytes, cell: Math.max(100, Math.floor(bytes / 10)), blob: Math.min(4096, Math.max(32, Math.floor(bytes / 20))) };
}

export function paramsOf(given: unknown): Params | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "object") throw new ToolError(`params: expected a list or an object, got ${typeof given}`);
  // 1e999 is read as Infinity, of which our own JSON would make null.
  const endless = Object.entries(given).find(([, value]) => value === Infinity || value === -Infinity);
  if (endless === undefined) return given as Params; // a list or an object; each value is looked at when it is bound
  throw new ToolError(`params: the number at ${JSON.stringify(endless[0])} is larger than numbers are; give it as text`);
}
