// describe_table: tables or views, with sample rows.
import { counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { EncodedJson, text, tool, type Block, type ContentAndStructured } from "@oarlock/server-kit";
import { accepting, cursor, database, listAsText, object, result, text as textArgument, z } from "../argument-schemas.ts";
import { DbError, refusal } from "../db/errors.ts";
import type { Answer } from "../db/process/running-request.ts";
import type { DescribeRequest } from "../db/protocol/schema-messages.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowsBlock, rowsJson, valueNotes } from "../replies/row-blocks.ts";
import { DEFAULT_TEXT_BYTES, rowLimits } from "../replies/row-limits.ts";
import { tableText } from "../replies/table-text.ts";
import { schemaView } from "../views.ts";

const MAX_SAMPLE_ROWS = 100;
const MAX_TABLES = 50;

/** For the line with the cursor, and the sample. */
const HEAD_BYTES = 2000;

export const describeTable = ({ databases, cursors, maxResultBytes }: Dependencies) =>
  tool({
    name: "describe_table",
    title: "Describe a table",
    description: "CREATE statement, columns, keys, foreign keys in both directions, indexes and triggers of tables or views.",
    input: () =>
      accepting(
        object({
          table_name: textArgument("Name of the table or view; several with commas between them"),
          database,
          sample_rows: z
            ._default(z.int().check(z.minimum(0), z.maximum(MAX_SAMPLE_ROWS)), 0)
            .check(z.describe("Number of first rows to show")),
          cursor,
        }),
        { table_name: listAsText },
      ),
    output: () => result({ table: z.string(), columns: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: schemaView })],
    async run({ table_name: wanted, database: name, sample_rows: sampleRows, cursor: given }, ctx) {
      const db = databases.get(name);
      const query = ["describe", db.name, wanted];
      const firstColumn = given === undefined ? 0 : Number(cursors.open(query, given)); // sealed below
      const describe = (table: string, parts: number): Promise<Answer<DescribeRequest>> => {
        const limits = rowLimits(Math.floor(maxResultBytes / 3 / parts), MAX_SAMPLE_ROWS);
        const maxTextBytes = Math.min(DEFAULT_TEXT_BYTES - HEAD_BYTES, Math.floor(maxResultBytes / 3)) / parts;
        return db.read({ op: "describe", table, ignoresCase: true, sampleRows, limits, maxTextBytes, firstColumn }, ctx);
      };
      const names = [...new Set(wanted.split(",").map((part) => part.trim()))];
      try {
        const answer = await describe(wanted, 1);
        const { nextColumn } = answer.reply;
        return replyOf([answer], nextColumn === undefined ? undefined : cursors.seal(query, String(nextColumn)));
      } catch (error) {
        if (!(error instanceof DbError) || error.code !== "not-found" || names.length === 1) throw error;
      }
      if (names.length > MAX_TABLES) throw refusal(`Too many tables: ${names.length}, the limit is ${MAX_TABLES}. Call several times.`);
      const answers: Answer<DescribeRequest>[] = [];
      for (const table of names) answers.push(await describe(table, names.length));
      return replyOf(answers);
    },
  });

/** The structured content is that of the first table, with the others in `further`. */
function replyOf(answers: readonly Answer<DescribeRequest>[], nextCursor?: string): ContentAndStructured<never> {
  const [first = "{}", ...further] = answers.map((answer) => jsonOf(answer, nextCursor));
  const json = further.length === 0 ? first : `${first.slice(0, -1)},"further":[${further.join(",")}]}`;
  const next =
    nextCursor === undefined ? [] : [text(`[truncated: more columns follow; call again with cursor: ${JSON.stringify(nextCursor)}]`)];
  return { content: [...next, ...answers.flatMap(blocksOf)], structured: new EncodedJson(json) };
}

function jsonOf({ reply: { description, sample }, rows }: Answer<DescribeRequest>, nextCursor: string | undefined): string {
  const json = JSON.stringify({ ...description, nextCursor });
  if (sample === undefined) return json;
  const { columns, ...members } = sample;
  return `${json.slice(0, -1)},"sample":${rowsJson(rows, columns, members)}}`;
}

function blocksOf({ reply: { description, sample }, rows }: Answer<DescribeRequest>): Block[] {
  const block = text(tableText(description));
  if (sample === undefined) return [block];
  const cut = sample.truncated ? [text(`[truncated: only ${counted(sample.rowCount, "sample row")} fit]`)] : [];
  return [block, rowsBlock(rows, sample.columns), ...valueNotes(rows, sample.clipped), ...cut];
}
