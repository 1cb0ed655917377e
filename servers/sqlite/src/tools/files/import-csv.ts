// import_csv: adds the rows of a CSV file to a table.
import { clip, counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { database, flag, object, optionalText, result, text, timeout, z } from "../../argument-schemas.ts";
import { refusal } from "../../db/errors.ts";
import type { ImportRequest } from "../../db/protocol/file-messages.ts";
import type { Dependencies } from "../../dependencies.ts";
import { changeWithConfirmation } from "../../replies/confirmed-change.ts";
import { importText } from "../../replies/import-text.ts";
import { namingWithheld } from "../../replies/withheld-tools.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

export const importCsv = (deps: Dependencies) =>
  tool({
    name: "import_csv",
    title: "Import a CSV file",
    description:
      "Add the rows of a CSV file to a table, all or none. Separator, encoding, header and lines before it are detected; the reply names them and the arguments that fit, so dry_run first. An empty field is NULL, \"\" an empty text, x'00ff' a BLOB.",
    toolset: TOOLSET,
    input: () =>
      object({
        path,
        table: text("Table to add to"),
        create: flag("Create the table, with a type for each column that keeps its values"),
        delimiter: optionalText("Separator of values"),
        encoding: optionalText("Such as windows-1252"),
        skip_lines: z.optional(z.int().check(z.minimum(0), z.maximum(1000))).check(z.describe("Lines before the header")),
        header: z.optional(z.boolean()).check(z.describe("Whether the first line names the columns")),
        decimal: z.optional(z.enum([".", ","])).check(z.describe("Store columns with such decimals as numbers")),
        date_format: optionalText("Such as DD.MM.YYYY: store such columns as YYYY-MM-DD"),
        nulls: z.optional(z.array(z.string())).check(z.describe("Texts that mean NULL, such as NA")),
        skip_repeated_headers: flag("Leave out lines that repeat the header"),
        skip_long_rows: flag("Leave out rows with more values than names; the reply gives them"),
        dry_run: flag("Import nothing, show the first rows as they would be stored"),
        database,
        timeout_ms: timeout,
      }),
    output: () =>
      result({
        table: z.string(),
        rows: z.int(),
        columns: z.array(z.string()),
        types: z.array(z.string()),
        detected: z.object({ encoding: z.string(), delimiter: z.string(), quote: z.string(), skippedLines: z.int(), header: z.boolean() }),
        notes: z.array(z.string()),
        firstRows: z.optional(z.string()),
      }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run(input, ctx) {
      const { path: given, table, create, dry_run: dryRun, database: name, timeout_ms: timeoutMs } = input;
      const { findFile } = await import("../../db/outside-files.ts");
      const db = deps.databases.get(name);
      const { file, bytes } = findFile(folderFor(deps, db), given);
      const onProgress = (done: number, total: number): void => ctx.progress(done, total, `${done} of ${counted(total, "byte")}`);
      const format = {
        delimiter: toDelimiter(input.delimiter),
        encoding: input.encoding,
        skipLines: input.skip_lines,
        header: input.header,
        decimal: input.decimal,
        dateFormat: input.date_format,
        nulls: input.nulls,
        skipRepeatedHeaders: input.skip_repeated_headers,
        skipLongRows: input.skip_long_rows,
      };
      const { reply } = await changeWithConfirmation<ImportRequest>(deps, ctx, {
        request: { op: "import", file, bytes, table, create, ...format, dryRun },
        database: name,
        timeoutMs,
        subject: "The import",
        onProgress,
      });
      const notes = reply.notes.map((note) => namingWithheld(note, deps));
      return { content: importText({ ...reply, notes }, dryRun), structured: { ...reply, notes, rolledBack: dryRun } };
    },
  });

/** Some callers write a tab as two characters. */
function toDelimiter(given: string | undefined): string | undefined {
  const delimiter = given === "\\t" || given?.toLowerCase() === "tab" ? "\t" : given;
  if (delimiter === undefined || delimiter.length === 1) return delimiter;
  throw refusal(`Invalid delimiter: ${clip(delimiter)} is not one character. Pass one, such as ";", or leave it out to have it detected.`);
}
