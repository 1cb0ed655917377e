// import_csv: adds the rows of a CSV file to a table.
import { clip, counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { database, flag, object, result, text, timeout, z } from "../argument-schemas.ts";
import type { ImportRequest } from "../db/protocol/file-messages.ts";
import type { Dependencies } from "../dependencies.ts";
import { changeWithConfirmation } from "../replies/confirmed-change.ts";
import { alsoChangedText } from "../replies/side-effects.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

export const importCsv = (deps: Dependencies) =>
  tool({
    name: "import_csv",
    title: "Import a CSV file",
    description:
      "Add the rows of a CSV file to a table, all or none. The first line names the columns. An empty field is NULL, \"\" an empty text, x'00ff' a BLOB.",
    toolset: TOOLSET,
    input: () =>
      object({
        path,
        table: text("Table to add to"),
        create: flag("Create the table; the first rows decide the types of its columns"),
        delimiter: z._default(z.string().check(z.minLength(1), z.maxLength(1)), ",").check(z.describe("Separator of values")),
        dry_run: flag("Import nothing, only check"),
        database,
        timeout_ms: timeout,
      }),
    output: () => result({ table: z.string(), rows: z.int(), columns: z.array(z.string()) }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ path: given, table, create, delimiter, dry_run: dryRun, database: name, timeout_ms: timeoutMs }, ctx) {
      const { findFile } = await import("../db/outside-files.ts");
      const db = deps.databases.get(name);
      const { file, bytes } = findFile(folderFor(deps, db), given);
      const onProgress = (done: number, total: number): void => ctx.progress(done, total, `${done} of ${counted(total, "byte")}`);
      const { reply } = await changeWithConfirmation<ImportRequest>(deps, ctx, {
        request: { op: "import", file, bytes, table, create, delimiter, dryRun },
        database: name,
        timeoutMs,
        subject: "The import",
        onProgress,
      });
      const verb = dryRun ? "Would import" : "Imported";
      const content = `${verb} ${counted(reply.rows, "row")} into ${clip(reply.table)}${alsoChangedText(reply.alsoChanged, reply.alsoChangedTables)}`;
      return { content, structured: { ...reply, rolledBack: dryRun } };
    },
  });
