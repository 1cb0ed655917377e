// read_query: rows of statements that only read; those of one in pages.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { database, object, params, text, toParams } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageArguments, pageOutput, replyWithPage } from "../replies/row-page.ts";
import { resultView } from "../views.ts";

export const readQuery = (deps: Dependencies) =>
  tool({
    name: "read_query",
    title: "Read rows",
    description:
      "Run statements that only read (SELECT, WITH, VALUES, EXPLAIN) and get their rows; several with ; between them share one reply. Bind values with params instead of writing them into the text. Integers past 2^53 come as text, BLOBs as {bytes, base64}.",
    input: () => object({ query: text("SQL statements"), params, database, ...pageArguments() }),
    output: pageOutput,
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: resultView })],
    run: ({ query, params: given, database: name, ...page }, ctx) =>
      replyWithPage(deps, ctx, { sql: query, params: toParams(given), database: name, allowsSeveral: true }, page),
  });
