// list_databases: which databases there are, where there are several.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { tool } from "@oarlock/server-kit";
import type { Parts } from "../dependencies.ts";
import { object, result, z } from "../argument-schemas.ts";

export const listDatabases = ({ databases }: Parts) =>
  tool({
    name: "list_databases",
    title: "List databases",
    description: "Names of the databases, for the argument database of the other tools.",
    input: () => object({}),
    output: () => result({ databases: z.array(z.looseObject({ name: z.string(), writable: z.boolean() })) }),
    hints: { readOnly: true, openWorld: false },
    run() {
      const all = databases.all.map(({ name, file, write }) => {
        return { name, file: basename(file), writable: write, bytes: bytesOf(file) };
      });
      return { content: JSON.stringify(all), structured: { databases: all } };
    },
  });

/** Null where there is no file now, or its folder is closed. */
function bytesOf(file: string): number | null {
  try {
    return statSync(file).size;
  } catch {
    return null;
  }
}
