// run_transaction: several statements, all or nothing.
import { text as textBlock, tool } from "@oarlock/server-kit";
import { agreed, besidesOf } from "../replies/confirmed-change.ts";
import { counted } from "../db/counted.ts";
import type { TransactionTold } from "../db/protocol/requests.ts";
import { paramsOf, roomFor, type Parts } from "../dependencies.ts";
import { cutText } from "../replies/row-blocks.ts";
import { database, flag, object, params, result, text, timeout, z } from "../argument-schemas.ts";

const MOST_STATEMENTS = 500;
/** Rows of one statement. */
const MOST_ROWS = 100;

export const runTransaction = (parts: Parts) =>
  tool({
    name: "run_transaction",
    title: "Run a transaction",
    description:
      "Run several statements as one: all of them happen, or none. Each has its own query and params. dry_run tells what would change and undoes it.",
    input: () =>
      object({
        statements: z
          .array(z.object({ query: text("One SQL statement"), params }))
          .check(z.minLength(1), z.maxLength(MOST_STATEMENTS), z.describe("Statements in order")),
        database,
        dry_run: flag("Only tell what would change"),
        timeout_ms: timeout,
      }),
    output: () => result({ results: z.array(z.looseObject({ changes: z.int() })), changes: z.int(), rolledBack: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ statements, database: name, dry_run: dryRun, timeout_ms: timeoutMs }, ctx) {
      const asked = {
        op: "transaction",
        statements: statements.map(({ query, params: given }) => ({ query, params: paramsOf(given) })),
        dryRun,
        room: roomFor(Math.floor(parts.maxResultBytes / statements.length), MOST_ROWS),
      } as const;
      const { told } = await agreed(parts, ctx, { asked, database: name, timeoutMs, what: "The transaction" });
      const { results, changes, rolledBack } = told as TransactionTold; // as was asked for
      const structured = { results: results.map((one) => ({ ...one })), changes, rolledBack };
      const besides = results.reduce((sum, { alsoChanged = 0 }) => sum + alsoChanged, 0);
      const done = `${counted(results.length, "statement")}, ${counted(changes, "row")} changed${besidesOf(besides)}${rolledBack ? "; a dry run: everything is as it was" : ""}.`;
      const rows = results.flatMap((one) => (one.rows === undefined ? [] : [JSON.stringify(one.rows)]));
      const odd = rows.some((row) => row.includes("\uFFFD"));
      return { content: [...[done, ...rows].map((one) => textBlock(one)), ...cutText({ odd }, [])], structured };
    },
  });
