// Imports and exports by an engine in this process.
import { readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HeldFolder } from "@oarlock/domain-kit";
import { importCsv } from "../../src/db/csv/csv-import.ts";
import { exportRows } from "../../src/db/csv/row-export.ts";
import type {
  ExportReply,
  ExportRequest,
  FilePlace,
  ImportReply,
  ImportRequest,
  ReportProgress,
} from "../../src/db/protocol/file-messages.ts";
import type { OpenedEngine } from "./engine.ts";

/** The place of a file as the server sends it to the database process. */
export function placeOf(path: string): FilePlace {
  using folder = HeldFolder.open(realpathSync(dirname(path)));
  return { folder: folder.reference, name: basename(path) };
}

/** Writes a file beside the database and imports it, into the table `t` by default. */
export function importing(
  { engine, file }: OpenedEngine,
  content: string | Buffer,
  request: Partial<ImportRequest> = {},
  reportProgress: ReportProgress = () => undefined,
): Promise<ImportReply> {
  const path = join(dirname(file), "in.csv");
  writeFileSync(path, content);
  const bytes = statSync(path).size;
  const defaults = { op: "import", file: placeOf(path), bytes, table: "t", create: false, dryRun: false } as const;
  return importCsv(engine, { ...defaults, maxChanges: null, allowDrop: false, ...request }, reportProgress);
}

/** Exports rows to a new file beside the database. */
export function exporting(
  { engine, file }: OpenedEngine,
  sql: string,
  request: Partial<ExportRequest> = {},
  reportProgress: ReportProgress = () => undefined,
): { reply: ExportReply; content: string } {
  const path = join(dirname(file), "out.txt");
  const reply = exportRows(engine, { op: "export", sql, format: "csv", file: placeOf(path), ...request }, reportProgress);
  return { reply, content: readFileSync(path, "utf8") };
}
