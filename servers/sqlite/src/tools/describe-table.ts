// describe_table: one table or view, with sample rows.
import { counted, escapeControlsInJson } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { EncodedJson, text as textBlock, tool } from "@oarlock/server-kit";
import { cursor, database, object, result, text, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowsBlock, rowsJson, valueNotes } from "../replies/row-blocks.ts";
import { DEFAULT_TEXT_BYTES, rowLimits } from "../replies/row-limits.ts";
import { schemaView } from "../views.ts";

const MAX_SAMPLE_ROWS = 100;

/** For the line with the cursor, and the sample. */
const HEAD_BYTES = 2000;

export const describeTable = ({ databases, cursors, maxResultBytes }: Dependencies) =>
  tool({
    name: "describe_table",
    title: "Describe a table",
    description: "Columns, keys, foreign keys in both directions, indexes, triggers and the CREATE statement of one table or view.",
    input: () =>
      object({
        table_name: text("Name of the table or view"),
        database,
        sample_rows: z
          ._default(z.int().check(z.minimum(0), z.maximum(MAX_SAMPLE_ROWS)), 0)
          .check(z.describe("Number of first rows to show")),
        cursor,
      }),
    output: () => result({ table: z.string(), columns: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: schemaView })],
    async run({ table_name: table, database: name, sample_rows: sampleRows, cursor: given }, ctx) {
      const db = databases.get(name);
      const described = ["describe", db.name, table];
      const firstColumn = given === undefined ? 0 : Number(cursors.open(described, given)); // sealed below
      const limits = rowLimits(Math.floor(maxResultBytes / 3), MAX_SAMPLE_ROWS);
      const maxTextBytes = Math.min(DEFAULT_TEXT_BYTES - HEAD_BYTES, Math.floor(maxResultBytes / 3));
      const request = { op: "describe", table, ignoresCase: true, sampleRows, limits, maxTextBytes, firstColumn } as const;
      const { reply, rows } = await db.read(request, ctx);
      const { sample, nextColumn } = reply;
      const nextCursor = nextColumn === undefined ? undefined : cursors.seal(described, String(nextColumn));
      const description = { ...reply.description, ...(nextCursor !== undefined && { nextCursor }) };
      const json = JSON.stringify(description);
      const head =
        nextCursor === undefined
          ? []
          : [textBlock(`[truncated: more columns follow; call again with cursor: ${JSON.stringify(nextCursor)}]`)];
      const content = [...head, textBlock(escapeControlsInJson(JSON.stringify(reply.description)))];
      if (sample === undefined) return { content, structured: new EncodedJson(json) };
      const { columns, ...members } = sample;
      const notes = valueNotes(rows, sample.clipped);
      if (sample.truncated) notes.push(textBlock(`[truncated: only ${counted(sample.rowCount, "sample row")} fit]`));
      return {
        content: [...content, rowsBlock(rows, columns), ...notes],
        structured: new EncodedJson(`${json.slice(0, -1)},"sample":${rowsJson(rows, columns, members)}}`),
      };
    },
  });
