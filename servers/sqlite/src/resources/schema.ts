// sqlite://{database}/schema and …/diagram: the schema of a database, as CREATE statements and as an ER diagram.
import { template } from "@oarlock/server-kit";
import { completeDatabase } from "../completion.ts";
import type { DiagramRequest, SchemaRequest } from "../db/protocol/schema-messages.ts";
import type { Dependencies } from "../dependencies.ts";
import { withResourceErrors } from "./resource-errors.ts";

export const schema = (deps: Dependencies) =>
  schemaResource(deps, {
    uri: "sqlite://{database}/schema",
    name: "schema",
    title: "Schema",
    description: "The CREATE statements of a database",
    mimeType: "application/sql",
  });

export const diagram = (deps: Dependencies) =>
  schemaResource(deps, {
    uri: "sqlite://{database}/diagram",
    name: "diagram",
    title: "ER diagram",
    description: "The tables, views and foreign keys of a database, as an erDiagram in Mermaid",
    mimeType: "text/vnd.mermaid",
  });

interface SchemaResource {
  readonly uri: `sqlite://{database}/${(SchemaRequest | DiagramRequest)["op"]}`;
  readonly name: (SchemaRequest | DiagramRequest)["op"];
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** One for each database, with the schema in the form that `name` stands for. */
const schemaResource = ({ databases, maxResultBytes }: Dependencies, spec: SchemaResource) =>
  template({
    ...spec,
    list: () =>
      databases.all.map(({ name }) => ({
        uri: spec.uri.replace("{database}", encodeURIComponent(name)),
        name: `${name} ${spec.name}`,
        description: spec.description.replace(" a database", " the database"),
        mimeType: spec.mimeType,
      })),
    complete: { database: completeDatabase(databases) },
    read: ({ database }, ctx, uri) =>
      withResourceErrors(uri, async () => {
        const { reply } = await databases.get(database).read({ op: spec.name, maxBytes: maxResultBytes - 2000 }, ctx);
        return { text: reply.text, mimeType: spec.mimeType };
      }),
    noticesOtherProcesses: true,
    watch: ({ database }, changed, uri) => withResourceErrors(uri, () => databases.get(database).watch("schema", changed)),
  });
