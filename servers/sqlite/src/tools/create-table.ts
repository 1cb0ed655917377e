// create_table: one CREATE TABLE.
import { tool } from "@oarlock/server-kit";
import type { WriteTold } from "../db/protocol/requests.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { database, object, result, text, z } from "../argument-schemas.ts";

export const createTable = ({ databases, maxResultBytes }: Parts) =>
  tool({
    name: "create_table",
    title: "Create a table",
    description: "Run one CREATE TABLE statement.",
    input: () => object({ query: text("One CREATE TABLE statement"), database }),
    output: () => result({ table: z.string(), sql: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ query, database: name }, ctx) {
      const { done } = await databases
        .get(name)
        .change(
          { op: "write", sql: query, createTable: true, dryRun: false, most: null, drop: false, room: roomFor(maxResultBytes, 1) },
          ctx,
        );
      const { table = "", existed } = done as WriteTold; // our own process told it
      const structured = { table, sql: query, ...(existed !== undefined && { existed: true }) };
      const kind = existed === "view" ? "view" : "table";
      const said =
        existed !== undefined ? `There is a ${kind} ${JSON.stringify(table)} already; it stays as it is` : "Table created successfully";
      return { content: said, structured };
    },
  });
