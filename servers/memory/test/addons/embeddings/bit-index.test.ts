// The bits of vectors in memory, against the rows that they are read from.
import { expect, test } from "vitest";
import { loadVectorFunctions, nearest } from "../../../src/addons/embeddings/vectors/nearest.ts";
import { BitIndex } from "../../../src/addons/embeddings/vectors/bit-index.ts";
import { TABLES } from "../../../src/addons/embeddings/vectors/vector-tables.ts";
import { VectorFile } from "../../../src/addons/embeddings/vectors/vector-file.ts";
import { openDatabase } from "../../../src/graph/sqlite/driver.ts";
import { SqlConnection } from "../../../src/graph/sqlite/sql-connection.ts";
import { tempFolder } from "@oarlock/testing";

function openRows(): SqlConnection {
  const sql = new SqlConnection(openDatabase(":memory:", {}));
  sql.db.exec(TABLES);
  return sql;
}

const insert = (sql: SqlConnection, id: number, ...bytes: number[]): unknown =>
  sql.run("INSERT OR REPLACE INTO bits (id, value) VALUES (?, ?)", id, Buffer.from(bytes));

test("finds the nearest ones, of any length and with all bits", () => {
  const sql = openRows();
  const bytesOf = (id: number) => Array.from({ length: 13 }, (_, at) => ((id * 7919 * (at + 3)) >> 4) & 255);
  const ids = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? at + 1 : -at));
  for (const id of ids) insert(sql, id, ...bytesOf(id));
  const index = new BitIndex(sql);
  const ones = (byte: number): number => byte.toString(2).replaceAll("0", "").length;
  for (const first of [0, 77, 255]) {
    const query = Uint8Array.from({ length: 13 }, (_, at) => first + at * 31);
    const distanceOf = (id: number): number => bytesOf(id).reduce((sum, byte, at) => sum + ones(byte ^ (query[at] ?? 0)), 0);
    const inOrder = (some: readonly number[]): number[] => some.map(distanceOf).sort((one, other) => one - other);
    expect(inOrder(index.nearest(query, 5))).toEqual(inOrder(ids).slice(0, 5));
  }
  expect(new Set(index.nearest(new Uint8Array(13), 1000))).toEqual(new Set(ids));
});

test("follows rows that are added at both ends, without reading the others again", () => {
  const sql = openRows();
  insert(sql, 1, 0b1111);
  const index = new BitIndex(sql);
  expect(index.nearest(Uint8Array.of(0), 10)).toEqual([1]);
  insert(sql, 2, 0b1);
  insert(sql, -1, 0b11);
  expect(new Set(index.nearest(Uint8Array.of(0), 2))).toEqual(new Set([-1, 2]));
});

const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

async function withBits(run: (file: VectorFile) => void): Promise<void> {
  await using folder = tempFolder();
  const file = VectorFile.open(folder.at("v"));
  file.run("INSERT INTO state (key, value) VALUES ('center', ?)", Buffer.from(vector(0, 0).buffer));
  run(file);
  file.close();
}

test.each([2, 3])("reads all rows again after vector %i of three has changed", async (changed) => {
  await withBits((file) => {
    file.insertVectors([1, 2, 3].map((id) => ({ id, entity: 1, vector: vector(id === changed ? 1 : -1, 1) })));
    expect(file.bits.nearest(Uint8Array.of(0b11), 1)).toEqual([changed]);
    file.markOutdated([changed]);
    file.insertVectors([{ id: changed, entity: 1, vector: vector(-1, -1) }]);
    expect(file.bits.nearest(Uint8Array.of(0), 1)).toEqual([changed]);
  });
});

test("finds what is left after the nearest vectors were removed", async () => {
  await withBits((file) => {
    loadVectorFunctions(file);
    const near = [1, 2, 3, 4, 5, 6, 7, 8];
    file.insertVectors([...near, 9].map((id) => ({ id, entity: 1, vector: vector(1, id === 9 ? -1 : 1) })));
    expect(nearest(file, vector(1, 1), 1)).toMatchObject([{ id: 1 }]);
    file.remove(near);
    expect(nearest(file, vector(1, 1), 1)).toMatchObject([{ id: 9 }]);
  });
});
