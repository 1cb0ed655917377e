// sqlite://{database}/schema: the CREATE statements of a database.
import { template } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { withResourceErrors } from "./resource-errors.ts";

const MIME_TYPE = "application/sql";

export const schema = ({ databases, maxResultBytes }: Dependencies) =>
  template({
    uri: "sqlite://{database}/schema",
    name: "schema",
    title: "Schema",
    description: "The CREATE statements of a database",
    mimeType: MIME_TYPE,
    list: () =>
      databases.all.map(({ name }) => ({
        uri: `sqlite://${encodeURIComponent(name)}/schema`,
        name: `${name} schema`,
        description: "The CREATE statements of the database",
        mimeType: MIME_TYPE,
      })),
    complete: { database: completeDatabase(databases) },
    read: ({ database }, ctx, uri) =>
      withResourceErrors(uri, async () => {
        const { reply } = await databases.get(database).read({ op: "schema", maxBytes: maxResultBytes - 2000 }, ctx);
        return { text: reply.text, mimeType: MIME_TYPE };
      }),
    watch: ({ database }, changed, _ctx, uri) => withResourceErrors(uri, () => databases.get(database).watch("schema", changed)),
  });
