// What the commands do with a store. SQLite and Postgres each implement it.
import type { Graph } from "../graph/graph.ts";
import type { Format } from "./arguments.ts";
import type { Copied, RowSource } from "./copies/row-copy.ts";

export type Access = "read" | "import" | "dry-run";

/** Those without another result return the exit code. */
export interface StoreCommands {
  /** Runs `action` on the opened graph, and closes it. */
  onGraph<T>(access: Access, action: (graph: Graph) => Promise<T>): Promise<T>;
  importJsonl(path: string, isDryRun: boolean): Promise<number>;
  /** `output`: undefined for stdout. */
  exportTo(format: Format, output: string | undefined): Promise<number>;
  verify(): Promise<number>;
  compact(keepHistoryMs: number | undefined): Promise<number>;
  /** Calls `action` with all rows as they are at one moment. */
  readRows<T>(action: (source: RowSource) => Promise<T>): Promise<T>;
  /** Fills a new memory. Throws a GraphError where there is one. */
  fill(source: RowSource): Promise<Copied>;
  /** Removes the memory with all that is beside it, and returns the names of what was removed. */
  remove(): Promise<string[]>;
  /** From now on history does not name the person. Returns the number of calls that did. */
  forgetAuthor(person: string): Promise<number>;
}

/** Whom history names in place of a person who was forgotten. */
export const FORGOTTEN = "forgotten person";
