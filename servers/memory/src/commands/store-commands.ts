// What the commands do with a store. SQLite and Postgres each implement it.
import type { Graph } from "../graph/graph.ts";
import type { Format } from "./arguments.ts";

export type Access = "read" | "import" | "dry-run";

/** Each returns the exit code. */
export interface StoreCommands {
  /** Runs `action` on the opened graph, and closes it. */
  onGraph(access: Access, action: (graph: Graph) => Promise<number>): Promise<number>;
  importJsonl(path: string, isDryRun: boolean): Promise<number>;
  /** `output`: undefined for stdout. */
  exportTo(format: Format, output: string | undefined): Promise<number>;
  verify(): Promise<number>;
  compact(keepHistoryMs: number | undefined): Promise<number>;
}
