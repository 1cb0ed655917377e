// inspect: prints how a search ranks facts, and what it cuts.
import { DEFAULT_MAX_TOKENS, inspectMemory, pageBytes } from "../search-memory.ts";
import type { Graph } from "../graph/graph.ts";
import { inspectionNotes, inspectionTable } from "../replies/inspection.ts";
import { print } from "./export.ts";

/** As search_nodes with its defaults. Returns the exit code. */
export async function inspect(graph: Graph, query: string): Promise<number> {
  const options = { query, detail: "full", maxBytes: pageBytes(DEFAULT_MAX_TOKENS) } as const;
  const { inspection, remarks } = await inspectMemory({ memory: graph, preference: "match" }, options);
  const table = inspection.facts.length === 0 ? [] : [...alignColumns(inspectionTable(inspection)), ""];
  await print([...table, ...inspectionNotes(inspection), ...remarks].map((line) => `${line}\n`));
  return 0;
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
