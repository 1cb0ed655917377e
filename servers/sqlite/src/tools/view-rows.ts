// view_rows: rows for the result view, in pages. The rows stand only in the structured content.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { cursor, count, database, object, params, text, timeout, toParams } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOutput, replyWithPage } from "../replies/row-page.ts";

export const viewRows = (deps: Dependencies) =>
  tool({
    name: "view_rows",
    title: "Rows for the view",
    description: "Get a page of the rows of a statement that only reads, with the limits and cursors of read_query.",
    input: () =>
      object({
        query: text("One SQL statement"),
        params,
        database,
        limit: count("Rows on a page, at most 10000"),
        cursor,
        timeout_ms: timeout,
      }),
    output: pageOutput,
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run({ query: sql, params: given, database: name, ...page }, ctx) {
      const { structured } = await replyWithPage(deps, ctx, { sql, params: toParams(given), database: name }, page);
      return { content: "The rows are in the structured content.", structured };
    },
  });
