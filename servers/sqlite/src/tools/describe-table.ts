// describe_table: all there is to know about one table.
import { EncodedJson, text as textBlock, tool } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import type { RowsTold } from "../db/protocol/requests.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { cutText, rowsJson, rowsText } from "../replies/row-blocks.ts";
import { database, object, result, text, z } from "../argument-schemas.ts";

const MOST_SAMPLE = 100;

type Sample = Pick<RowsTold, "columns" | "rowCount" | "clipped"> & { readonly truncated: boolean };

export const describeTable = ({ databases, maxResultBytes }: Parts) =>
  tool({
    name: "describe_table",
    title: "Describe a table",
    description: "Columns, keys, foreign keys in both directions, indexes, triggers and the CREATE statement of one table or view.",
    input: () =>
      object({
        table_name: text("Name of the table, exactly"),
        database,
        sample_rows: z._default(z.int().check(z.minimum(0), z.maximum(MOST_SAMPLE)), 0).check(z.describe("First rows to show")),
      }),
    output: () => result({ table: z.string(), columns: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
    hints: { readOnly: true, openWorld: false },
    async run({ table_name: table, database: name, sample_rows: sampleRows }, ctx) {
      const room = roomFor(Math.floor(maxResultBytes / 3), MOST_SAMPLE);
      const answer = await databases.get(name).read({ op: "describe", table, sampleRows, room }, ctx);
      const { sample, ...told } = answer.done as { columns: object[]; sample?: Sample }; // our own process told it
      const json = JSON.stringify(told);
      if (sample === undefined) return { content: [textBlock(json)], structured: new EncodedJson(json) };
      const { columns, ...facts } = sample;
      const withRows = `${json.slice(0, -1)},"sample":${rowsJson(answer, columns, facts)}}`;
      const cut = sample.truncated
        ? [textBlock(`[truncated: ${counted(sample.rowCount, "sample row")} ${sample.rowCount === 1 ? "has" : "have"} room]`)]
        : [];
      return {
        content: [textBlock(json), rowsText(answer, columns), ...cutText(answer, sample.clipped), ...cut],
        structured: new EncodedJson(withRows),
      };
    },
  });
