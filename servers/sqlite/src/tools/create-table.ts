// create_table: runs one CREATE TABLE.
import { clip } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { database, object, result, text, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { rowLimits } from "../replies/row-limits.ts";

export const createTable = ({ databases, maxResultBytes }: Dependencies) =>
  tool({
    name: "create_table",
    title: "Create a table",
    description: "Run one CREATE TABLE statement.",
    input: () => object({ query: text("One CREATE TABLE statement"), database }),
    output: () => result({ table: z.string(), sql: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ query, database: name }, ctx) {
      const limits = rowLimits(maxResultBytes, 1);
      const permission = { maxChanges: null, allowDrop: false };
      const { reply } = await databases
        .get(name)
        .change({ op: "write", sql: query, createTableOnly: true, dryRun: false, limits, ...permission }, ctx);
      const { table = "", existingType, schemaChange } = reply;
      if (existingType === undefined) {
        const { advice } = schemaChange ?? {};
        const note = advice === undefined ? {} : { note: advice };
        return {
          content: ["Table created successfully", ...Object.values(note)].join(". "),
          structured: { table, sql: query, ...note },
        };
      }
      const kind = existingType === "view" ? "view" : "table";
      return {
        content: `A ${kind} ${clip(JSON.stringify(table))} already exists; it was not changed`,
        structured: { table, sql: query, existed: true },
      };
    },
  });
