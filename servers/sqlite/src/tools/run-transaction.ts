// run_transaction: several statements, all or none.
import { counted } from "@oarlock/domain-kit";
import { EncodedJson, text as textBlock, tool, type Block } from "@oarlock/server-kit";
import { accepting, database, flag, object, params, result, text, textAsList, timeout, toParams, z } from "../argument-schemas.ts";
import type { StatementResult, TransactionReply, TransactionRequest } from "../db/protocol/change-messages.ts";
import { addUp } from "../db/protocol/table-changes.ts";
import type { Dependencies } from "../dependencies.ts";
import { previewLines, previewMembers } from "../replies/change-previews.ts";
import { changeWithConfirmation } from "../replies/confirmed-change.ts";
import { defaultRowLimits } from "../replies/row-limits.ts";
import { alsoChangedText, alsoRemovedText, brokenText, confirmationText, schemaText, wholeTableText } from "../replies/side-effects.ts";
import { statementBlocks, statementJson } from "../replies/statement-rows.ts";
import { withNamedTools } from "../replies/withheld-tools.ts";

const MAX_STATEMENTS = 500;
const MAX_ROWS_PER_STATEMENT = 100;
/** Statements that are named with their changes. */
const MAX_NAMED = 20;

export const runTransaction = (deps: Dependencies) =>
  tool({
    name: "run_transaction",
    title: "Run a transaction",
    description:
      "Run several statements as one: all of them take effect, or none. Gives the changes and rows of each. dry_run shows rows before and after, and rolls back.",
    input: () =>
      accepting(
        object({
          statements: z
            .array(z.object({ query: text("One SQL statement"), params }))
            .check(z.minLength(1), z.maxLength(MAX_STATEMENTS), z.describe("Statements in order")),
          database,
          dry_run: flag("Only report what would change"),
          timeout_ms: timeout,
        }),
        { statements: statementsOf },
      ),
    output: () => result({ results: z.array(z.looseObject({ changes: z.int() })), changes: z.int(), rolledBack: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ statements, database: name, dry_run: dryRun, timeout_ms: timeoutMs }, ctx) {
      const answer = await changeWithConfirmation<TransactionRequest>(deps, ctx, {
        request: {
          op: "transaction",
          statements: statements.map(({ query, params: given }) => ({ query, params: toParams(given) })),
          dryRun,
          limits: defaultRowLimits(deps.maxResultBytes, MAX_ROWS_PER_STATEMENT, dryRun ? 2 * statements.length : statements.length),
        },
        database: name,
        timeoutMs,
        subject: "The transaction",
      });
      const named = (result: StatementResult): StatementResult => ({
        ...withNamedTools(result, deps),
        ...(result.rows !== undefined && { rows: withNamedTools(result.rows, deps) }),
      });
      const reply = { ...answer.reply, results: answer.reply.results.map(named) };
      const { changes, rolledBack, broken, needsConfirmation } = reply;
      const results = reply.results.map(({ previews, rows, ...result }) => {
        const members = { ...result, ...previewMembers(previews) };
        return rows === undefined ? JSON.stringify(members) : statementJson(rows, members);
      });
      const head = `{"results":[${results.join(",")}],`;
      return {
        content: [
          textBlock(summaryOf(reply)),
          ...statementBlocks(
            reply.results.map(({ rows }) => rows),
            { further: reply.results.map(previewBlocks) },
          ),
        ],
        structured: new EncodedJson(head + JSON.stringify({ changes, rolledBack, broken, needsConfirmation }).slice(1)),
      };
    },
  });

/** A text in the list, or alone, is a statement without params. */
const statementsOf = (given: unknown): unknown => {
  const list = textAsList(given);
  return Array.isArray(list) ? list.map((one: unknown) => (typeof one === "string" ? { query: one } : one)) : list;
};

const previewBlocks = ({ previews }: StatementResult, index: number): Block[] =>
  previewLines(previews).map((lines) => textBlock(`Statement ${index + 1}\n${lines}`));

function summaryOf(reply: TransactionReply): string {
  const { results, changes, rolledBack, broken } = reply;
  const alsoChanged = results.reduce((sum, one) => sum + (one.alsoChanged ?? 0), 0);
  const tables = addUp(results.flatMap(({ alsoChangedTables = [] }) => alsoChangedTables));
  const counts = changesByStatement(results);
  const kinds = counts.length > 1 ? ` (${counts.join(", ")})` : "";
  const end = rolledBack ? "; a dry run: everything was rolled back" : "";
  const sentences = [
    `${counted(results.length, "statement")}, ${counted(changes, "row")} changed${kinds}${alsoChangedText(alsoChanged, tables)}${end}.`,
    ...results.flatMap(({ schemaChange }) => (schemaChange === undefined ? [] : [schemaText(schemaChange, rolledBack)])),
    ...results.flatMap((result) => wholeTableText(result, rolledBack)),
    ...results.flatMap(({ alsoRemoved }) => (alsoRemoved === undefined ? [] : [alsoRemovedText(alsoRemoved, rolledBack)])),
    ...(broken === undefined ? [] : [brokenText(broken, rolledBack)]),
    ...confirmationText(reply),
  ];
  return [
    sentences.join(" "),
    ...results.flatMap(({ slips = [], rows }) => (rows === undefined ? slips.map((slip) => `[${slip}]`) : [])),
  ].join("\n");
}

/** Of each statement in order; where they are many, of each verb. */
function changesByStatement(results: TransactionReply["results"]): string[] {
  const changing = results.filter(({ verb }) => ["INSERT", "REPLACE", "UPDATE", "DELETE"].includes(verb));
  if (changing.length <= MAX_NAMED) return changing.map(({ verb, changes }) => `${verb} ${changes}`);
  const byVerb = Map.groupBy(changing, ({ verb }) => verb);
  return [...byVerb].map(([verb, ofVerb]) => `${verb} ${ofVerb.reduce((sum, one) => sum + one.changes, 0)}`);
}
