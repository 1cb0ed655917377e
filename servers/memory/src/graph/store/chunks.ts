// Reads many rows in chunks, with one query for each chunk.
import type { EntityRow } from "../rows/entities.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";

/** Rows read by one query. Reading row by row takes twice as long, and all rows together may not fit into memory. */
const CHUNK_ROWS = 256;
/** Longer texts are read one by one, so that a chunk stays small. */
const MAX_CHUNK_TEXT_BYTES = 2000;

/** Rows with higher ids than `id`, which is their first column, chunk by chunk. */
export function* chunksAfter<Row extends [id: number, ...unknown[]]>(sql: SqlConnection, select: string, id: number): Generator<Row[]> {
  for (let last: number | undefined = id; last !== undefined;) {
    const rows: Row[] = sql.tuples(`${select} LIMIT ${CHUNK_ROWS}`, last);
    yield rows;
    last = rows.length < CHUNK_ROWS ? undefined : rows.at(-1)?.[0];
  }
}

/** Entities with their observations, where these are short and few. One query for each entity would take far longer. */
export function* entitiesWithTextsAfter(sql: SqlConnection, entities: Iterable<EntityRow>, id: number): Generator<EntityRow> {
  let chunk = observationChunkAfter(sql, id);
  for (const row of entities) {
    if (row.id > chunk.lastCompleteEntity) chunk = observationChunkAfter(sql, row.id - 1);
    const texts = row.id > chunk.lastCompleteEntity ? undefined : (chunk.texts.get(row.id) ?? []);
    yield texts === undefined || texts.includes(null) ? row : { ...row, texts: texts as string[] }; // without null, as tested
  }
}

interface ObservationChunk {
  /** By entity; null stands for a long text, or one with times. */
  readonly texts: ReadonlyMap<number, (string | null)[]>;
  /** The last entity all of whose observations are in the chunk. */
  readonly lastCompleteEntity: number;
}

function observationChunkAfter(sql: SqlConnection, entity: number): ObservationChunk {
  const rows = sql.tuples<[number, string | null]>(
    `SELECT entity, CASE WHEN octet_length(text) <= ${MAX_CHUNK_TEXT_BYTES} AND times IS NULL THEN text END FROM observation INDEXED BY observation_entity
     WHERE entity > ? AND ended IS NULL ORDER BY entity, id LIMIT ${CHUNK_ROWS}`,
    entity,
  );
  const texts = new Map<number, (string | null)[]>();
  for (const [id, text] of rows) {
    const ofEntity = texts.get(id);
    if (ofEntity === undefined) texts.set(id, [text]);
    else ofEntity.push(text);
  }
  const lastCompleteEntity = rows.length < CHUNK_ROWS ? Number.POSITIVE_INFINITY : (rows.at(-1)?.[0] ?? 0) - 1;
  return { texts, lastCompleteEntity };
}
