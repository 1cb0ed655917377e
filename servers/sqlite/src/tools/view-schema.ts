// view_schema: tables with their columns and keys, for the schema view.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { counted } from "@oarlock/domain-kit";
import { count, database, object, result, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowBytes } from "../replies/row-limits.ts";

const MAX_TABLES = 500;

export const viewSchema = ({ databases, maxResultBytes }: Dependencies) =>
  tool({
    name: "view_schema",
    title: "Schema for the view",
    description: "Get tables and views with their columns, primary keys and foreign keys: first the given tables, then those next to them.",
    input: () =>
      object({
        database,
        tables: z._default(z.array(z.string()), []).check(z.describe("Tables to begin with")),
        limit: count(`Maximum of tables, at most ${MAX_TABLES}`),
      }),
    output: () =>
      result({
        tables: z.array(z.looseObject({ name: z.string(), type: z.string() })),
        omitted: z.int(),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run({ database: name, tables: start, limit = MAX_TABLES }, ctx) {
      const request = { op: "relations", start, maxTables: Math.min(limit, MAX_TABLES), maxBytes: rowBytes(maxResultBytes) } as const;
      const { reply } = await databases.get(name).read(request, ctx);
      const { tables, omitted } = reply;
      return { content: `${counted(tables.length, "table")}, ${omitted} left out`, structured: { tables, omitted } };
    },
  });
