// list_databases: the databases of the server.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { object, result, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";

export const listDatabases = ({ databases }: Dependencies) =>
  tool({
    name: "list_databases",
    title: "List databases",
    description: "Names of the databases, for the argument database of the other tools.",
    input: () => object({}),
    output: () => result({ databases: z.array(z.looseObject({ name: z.string(), writable: z.boolean() })) }),
    hints: { readOnly: true, openWorld: false },
    run() {
      const list = databases.all.map(({ name, file, write }) => {
        return { name, file: basename(file), writable: write, bytes: bytesOf(file) };
      });
      return { content: escapeControlsInJson(JSON.stringify(list)), structured: { databases: list } };
    },
  });

/** Null where the file does not exist or may not be read. */
function bytesOf(file: string): number | null {
  try {
    return statSync(file).size;
  } catch {
    return null;
  }
}
