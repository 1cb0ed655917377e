// read_query: rows of one reading statement, page by page.
import { tool } from "@oarlock/server-kit";
import { paramsOf, type Parts } from "../dependencies.ts";
import { paging, rowsPage } from "../replies/row-page.ts";
import { database, object, params, result, text, z } from "../argument-schemas.ts";

export const readQuery = (parts: Parts) =>
  tool({
    name: "read_query",
    title: "Read rows",
    description:
      "Run one statement that only reads (SELECT, WITH, VALUES, EXPLAIN) and get its rows. Bind values with params instead of writing them into the text. Integers past 2^53 come as text, BLOBs as {bytes, base64}.",
    input: () => object({ query: text("One SQL statement"), params, database, ...paging() }),
    output: () =>
      result({
        columns: z.array(z.looseObject({ name: z.string() })),
        rows: z.array(z.array(z.unknown())),
        rowCount: z.int(),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    run: ({ query, params: given, database: name, ...page }, ctx) =>
      rowsPage(parts, ctx, { sql: query, params: paramsOf(given), database: name }, page),
  });
