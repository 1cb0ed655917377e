// What tests of search by meaning look at: the file of vectors, and names that a search finds.
import { expect } from "vitest";
import { openDatabase } from "../../../../src/graph/sqlite/driver.ts";
import type { Caller } from "../../../support/caller.ts";
import { PATIENCE } from "./embedded-memory.ts";

export const namesOf = async (server: Caller, query: string): Promise<string[]> => {
  const { entities } = (await server.does("search_nodes", { query })) as { entities: { name: string }[] };
  return entities.map(({ name }) => name);
};

export const vectorsIn = (file: string): number => {
  const db = openDatabase(`${file}.vectors`, { readonly: true });
  try {
    return (db.prepare("SELECT count(*) AS count FROM vector").get() as { count: number }).count;
  } finally {
    db.close();
  }
};

/** Until this many texts have vectors. */
export const embedded = (file: string, count: number): Promise<void> => expect.poll(() => vectorsIn(file), PATIENCE).toBe(count);
