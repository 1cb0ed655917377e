// What the tools, resources and prompts of this server work with.
import type { CursorSealer } from "@oarlock/domain-kit";
import type { Databases } from "./db/databases.ts";
import type { Insights } from "./insights.ts";

export interface Dependencies {
  readonly databases: Databases;
  readonly insights: Insights;
  readonly cursors: CursorSealer;
  /** The largest reply, in bytes. */
  readonly maxResultBytes: number;
  /** A change or removal of more existing rows needs the user's confirmation. */
  readonly confirmAbove: number;
  /** DROP, and changes of many rows, need no confirmation. */
  readonly allowDestructive: boolean;
  /** The real path of the folder for import, export and backup. Undefined: that of the database. */
  readonly filesDir: string | undefined;
  /** Whether the operator has switched off the tool of this name. */
  readonly isWithheld: (tool: string) => boolean;
}
