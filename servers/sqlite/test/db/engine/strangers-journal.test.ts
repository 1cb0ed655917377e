// A rollback journal that came with a database: it may name a file, which SQLite before 3.54 deleted after the rollback.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Engine } from "../../../src/db/engine/engine.ts";
import { tempFolder } from "@oarlock/testing";
import { makeDatabase } from "../../support/databases.ts";

const MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const SECTOR_BYTES = 512;
const LOCK_BYTE = 0x40000000;

/** A journal without pages that belongs to a change of several files. https://www.sqlite.org/fileformat2.html#the_rollback_journal */
function journalNaming(file: string, database: Buffer): Buffer {
  const pageBytes = database.readUInt16BE(16);
  const head = Buffer.alloc(SECTOR_BYTES);
  MAGIC.copy(head);
  head.writeUInt32BE(database.length / pageBytes, 16);
  head.writeUInt32BE(SECTOR_BYTES, 20);
  head.writeUInt32BE(pageBytes, 24);
  const name = Buffer.from(file);
  const words = [LOCK_BYTE / pageBytes + 1, name.length, name.reduce((sum, byte) => sum + byte, 0)].map((word) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(word);
    return bytes;
  });
  const [lockPage = "", length = "", sum = ""] = words;
  return Buffer.concat([head, ...[lockPage, name, length, sum, MAGIC].map((part) => Buffer.from(part))]);
}

test.each(["precious.txt", "other.db-mj0A1B2C90D"])("S2 deletes no %s by a foreign journal, and rolls it back", async (name) => {
  await using folder = tempFolder({ [name]: "precious" });
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  writeFileSync(`${file}-journal`, journalNaming(folder.at(name), readFileSync(file)));
  const engine = new Engine({ file, label: "shop", write: true });
  expect(engine.allowed("SELECT a FROM t", "read").prepared.all()).toHaveLength(1);
  engine.close();
  expect(existsSync(`${file}-journal`)).toBe(false);
  expect(readFileSync(folder.at(name), "utf8")).toBe("precious");
});
