// describe_table: one table or view, with sample rows.
import { counted, escapeControlsInJson } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { EncodedJson, text as textBlock, tool } from "@oarlock/server-kit";
import { database, object, result, text, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowsBlock, rowsJson, valueNotes } from "../replies/row-blocks.ts";
import { rowLimits } from "../replies/row-limits.ts";
import { schemaView } from "../views.ts";

const MAX_SAMPLE_ROWS = 100;

export const describeTable = ({ databases, maxResultBytes }: Dependencies) =>
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
      }),
    output: () => result({ table: z.string(), columns: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: schemaView })],
    async run({ table_name: table, database: name, sample_rows: sampleRows }, ctx) {
      const limits = rowLimits(Math.floor(maxResultBytes / 3), MAX_SAMPLE_ROWS);
      const { reply, rows } = await databases.get(name).read({ op: "describe", table, ignoresCase: true, sampleRows, limits }, ctx);
      const { description, sample } = reply;
      const json = JSON.stringify(description);
      if (sample === undefined) return { content: [textBlock(escapeControlsInJson(json))], structured: new EncodedJson(json) };
      const { columns, ...members } = sample;
      const notes = valueNotes(rows, sample.clipped);
      if (sample.truncated) notes.push(textBlock(`[truncated: only ${counted(sample.rowCount, "sample row")} fit]`));
      return {
        content: [textBlock(escapeControlsInJson(json)), rowsBlock(rows, columns), ...notes],
        structured: new EncodedJson(`${json.slice(0, -1)},"sample":${rowsJson(rows, columns, members)}}`),
      };
    },
  });
