// export_query: rows of a query into a new file.
import { text as textBlock, tool } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import type { ExportTold } from "../db/protocol/requests.ts";
import { paramsOf, type Parts } from "../dependencies.ts";
import { cutText } from "../replies/row-blocks.ts";
import { choice, database, object, params, result, text, timeout, z } from "../argument-schemas.ts";
import { folderFor, path, TOOLSET } from "./file-folder.ts";

export const exportQuery = (parts: Parts) =>
  tool({
    name: "export_query",
    title: "Export rows to a file",
    description: "Write all rows of a reading statement to a new file. A file that exists is not overwritten.",
    toolset: TOOLSET,
    input: () =>
      object({
        query: text("One SQL statement"),
        params,
        path,
        format: z._default(choice(["csv", "json", "jsonl"], "Form of the file"), "csv"),
        database,
        timeout_ms: timeout,
      }),
    output: () => result({ path: z.string(), rows: z.int(), bytes: z.int() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ query, params: given, path: file, format, database: name, timeout_ms: timeoutMs }, ctx) {
      const { writeNew } = await import("../db/outside-files.ts");
      const db = parts.databases.get(name);
      const progress = (rows: number): void => ctx.progress(rows, undefined, counted(rows, "row"));
      const { odd, ...told } = await writeNew(folderFor(parts, db), file, async (part) => {
        const asked = { op: "export", sql: query, params: paramsOf(given), format, file: part } as const;
        const { done } = await db.writeOut(asked, ctx, { timeoutMs, progress });
        return done as ExportTold; // our own process told it
      });
      const content = [textBlock(`Wrote ${counted(told.rows, "row")} to ${file}`), ...cutText({ odd }, [])];
      return { content, structured: { path: file, ...told } };
    },
  });
