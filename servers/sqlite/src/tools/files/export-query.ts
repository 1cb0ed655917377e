// export_query: writes the rows of a query to a new file.
import { clip, counted } from "@oarlock/domain-kit";
import { text as textBlock, tool } from "@oarlock/server-kit";
import { choice, database, object, params, result, text, timeout, toParams, z } from "../../argument-schemas.ts";
import { FORMULA_WARNING } from "../../db/csv/formulas.ts";
import type { Dependencies } from "../../dependencies.ts";
import { readingNotes, valueNotes } from "../../replies/row-blocks.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

export const exportQuery = (deps: Dependencies) =>
  tool({
    name: "export_query",
    title: "Export rows to a file",
    description: "Write all rows of a statement that only reads to a new file. Does not overwrite a file.",
    toolset: TOOLSET,
    input: () =>
      object({
        query: text("One SQL statement"),
        params,
        path,
        format: z._default(choice(["csv", "json", "jsonl"], "Format of the file"), "csv"),
        database,
        timeout_ms: timeout,
      }),
    output: () => result({ path: z.string(), rows: z.int(), bytes: z.int() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ query, params: given, path: file, format, database: name, timeout_ms: timeoutMs }, ctx) {
      const { writeNewFile } = await import("../../db/outside-files.ts");
      const db = deps.databases.get(name);
      const onProgress = (rows: number): void => ctx.progress(rows, undefined, counted(rows, "row"));
      const { reply } = await writeNewFile(folderFor(deps, db), file, (newFile) => {
        const request = { op: "export", sql: query, params: toParams(given), format, file: newFile } as const;
        return db.writeFile(request, ctx, { timeoutMs, onProgress });
      });
      const { rows, bytes, hasFormulas } = reply;
      const content = [
        textBlock(`Wrote ${counted(rows, "row")} to ${clip(file)}`),
        ...(hasFormulas ? [textBlock(FORMULA_WARNING)] : []),
        ...valueNotes(reply, []),
        ...readingNotes(reply),
      ];
      return { content, structured: { path: file, rows, bytes } };
    },
  });
