// One server on a database, and calls to it, for the tests of complaints.
import { connectTo, tempFolder } from "@oarlock/testing";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import { makeDatabase, rowsOf } from "../support/databases.ts";
import { targetOf, type Setup } from "../support/target.ts";

export const text = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");

export async function on(sql: string, setup: Omit<Setup, "files"> = {}) {
  const folder = tempFolder();
  const file = makeDatabase(folder.at("main.db"), sql);
  const wired = await connectTo(targetOf({ files: [file], ...setup }));
  const { client } = wired;
  return {
    folder,
    file,
    client,
    call: (name: string, args: Json) => client.call(name, args),
    read: async (query: string, more: Json = {}) => await client.call("read_query", { query, ...more }),
    write: async (query: string, more: Json = {}) => await client.call("write_query", { query, ...more }),
    /** What another connection finds in the file. */
    found: (query: string) => rowsOf(file, query),
    async [Symbol.asyncDispose]() {
      await wired[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
