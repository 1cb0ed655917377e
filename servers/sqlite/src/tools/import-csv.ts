// import_csv: a CSV file into a table.
import { tool } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import type { ImportTold } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { database, flag, object, result, text, timeout, z } from "../argument-schemas.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

export const importCsv = (parts: Parts) =>
  tool({
    name: "import_csv",
    title: "Import a CSV file",
    description: "Add the rows of a CSV file to a table, all or none. The first line names the columns. Empty values become NULL.",
    toolset: TOOLSET,
    input: () =>
      object({
        path,
        table: text("Table to add to"),
        create: flag("Make the table; the kinds of its columns are told from the first rows"),
        delimiter: z._default(z.string().check(z.minLength(1), z.maxLength(1)), ",").check(z.describe("Between values")),
        dry_run: flag("Only try"),
        database,
        timeout_ms: timeout,
      }),
    output: () => result({ table: z.string(), rows: z.int(), columns: z.array(z.string()) }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ path: given, table, create, delimiter, dry_run: dryRun, database: name, timeout_ms: timeoutMs }, ctx) {
      const { fileToRead } = await import("../db/outside-files.ts");
      const db = parts.databases.get(name);
      const { file, bytes } = fileToRead(folderFor(parts, db), given);
      const progress = (done: number, total: number): void => ctx.progress(done, total, `${done} of ${counted(total, "byte")}`);
      const { done } = await db.change({ op: "import", file, bytes, table, create, delimiter, dryRun }, ctx, { timeoutMs, progress });
      const told = done as ImportTold; // our own process told it
      const structured = { ...told, columns: [...told.columns], rolledBack: dryRun };
      return { content: `${dryRun ? "Would import" : "Imported"} ${counted(told.rows, "row")} into ${told.table}`, structured };
    },
  });
