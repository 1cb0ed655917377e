// sqlite://{database}/schema: the statements that make the tables, and so on.
import { template } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { SchemaTold } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { found } from "./resource-errors.ts";

export const schema = ({ databases, maxResultBytes }: Parts) =>
  template({
    uri: "sqlite://{database}/schema",
    name: "schema",
    title: "Schema",
    description: "The CREATE statements of a database",
    mimeType: "application/sql",
    list: () =>
      databases.all.map(({ name }) => ({
        uri: `sqlite://${encodeURIComponent(name)}/schema`,
        name: `${name} schema`,
        description: "The CREATE statements of the database",
        mimeType: "application/sql",
      })),
    complete: { database: completeDatabase(databases) },
    read: ({ database }, ctx, uri) =>
      found(uri, async () => {
        const { done } = await databases.get(database).read({ op: "schema", bytes: maxResultBytes - 2000 }, ctx);
        return { text: (done as SchemaTold).text, mimeType: "application/sql" }; // our own process told it
      }),
    watch: ({ database }, changed, _ctx, uri) => found(uri, () => databases.get(database).watch("schema", changed)),
  });
