// An upgrade: the folded forms of texts and the keys of names are computed anew.
import { fold, similarityKey } from "../../../graph/text-index/normalization.ts";
import type { PostgresConnection } from "../engine/postgres-connection.ts";

const BATCH = 1000;
/** ASCII is folded as it was. */
const MAY_DIFFER = String.raw`~ '[^\u0001-\u007f]'`;

export async function foldTextsAgain(sql: PostgresConnection): Promise<void> {
  await foldColumn(sql, "type", "name");
  await foldColumn(sql, "entity", "name");
  await foldColumn(sql, "observation", "text");
  for await (const rows of batches(sql, "entity", "name"))
    await sql.run(
      "update entity e set key = w.key from unnest($1::bigint[], $2::text[]) w(id, key) where e.id = w.id and e.key <> w.key",
      rows.map(({ id }) => id),
      rows.map(({ text }) => similarityKey(text)),
    );
  await sql.run("update graph set format = 3");
}

async function foldColumn(sql: PostgresConnection, table: string, column: string): Promise<void> {
  for await (const rows of batches(sql, table, column))
    await sql.run(
      `update ${table} t set folded = w.folded from unnest($1::bigint[], $2::text[]) w(id, folded) where t.id = w.id and t.folded <> w.folded`,
      rows.map(({ id }) => id),
      rows.map(({ text }) => fold(text)),
    );
}

async function* batches(sql: PostgresConnection, table: string, column: string): AsyncGenerator<{ id: number; text: string }[]> {
  const select = `select id, ${column} as text from ${table} where id > $1 and ${column} ${MAY_DIFFER} order by id limit ${BATCH}`;
  for (let after = 0; ;) {
    const rows = await sql.all<{ id: number; text: string }>(select, after);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.id ?? 0;
  }
}
