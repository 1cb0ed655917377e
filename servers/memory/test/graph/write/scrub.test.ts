// What a purge leaves in files: backups with a purged text go, and the database is rewritten where a text is still in it.
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { deleteEntities } from "../../../src/graph/write/deletion.ts";
import { purgeEntities } from "../../../src/graph/write/purge.ts";
import { scrub } from "../../../src/graph/write/scrub.ts";
import { entity } from "../../support/graphs.ts";
import { openMemory } from "../../support/open-memory.ts";

const SECRET = "Zyxqvut-7731";
/** Files are searched in parts of this size. */
const PART = 4 * 1024 * 1024;

async function opened(...observations: string[]) {
  const memory = await openMemory([entity("Ana", "person", ...observations)]);
  const path = memory.store.db.name;
  return {
    ...memory,
    path,
    /** Writes a backup with these bytes, at a position in zeros. */
    backup(name: string, bytes: string, position = 0): string {
      const file = `${path}.backup-${name}`;
      writeFileSync(file, "");
      truncateSync(file, position);
      writeFileSync(file, bytes, { flag: "a" });
      return file;
    },
    /** The purged texts that are left in the database or its log. */
    left: (...texts: string[]) =>
      texts.filter((text) => [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes(text))),
    [Symbol.asyncDispose]: () => memory[Symbol.asyncDispose](),
  };
}

test("backups with a purged text are removed, wherever it lies in them", async () => {
  await using at = await opened();
  const positions = [0, 100, PART - SECRET.length, PART - 5, PART - 1, PART, 2 * PART - SECRET.length - 5, 2 * PART - 3];
  const backups = positions.map((position) => at.backup(`${position}`, `${SECRET} and more`, position));
  const others = [at.backup("other", "another text", PART - 4), at.backup("part", SECRET.slice(0, -1), PART - 5), at.backup("empty", "")];
  await scrub(at.store, at.path, ["other secret", SECRET]);
  expect(backups.filter((file) => existsSync(file))).toEqual([]);
  expect(others.filter((file) => !existsSync(file))).toEqual([]);
});

test("texts of five bytes are found everywhere by chance, and remove no backup", async () => {
  await using at = await opened();
  const backup = at.backup("x", "a tall tree, and a taller one");
  for (const texts of [[], ["", "a", "tall "]]) await scrub(at.store, at.path, texts);
  expect(existsSync(backup)).toBe(true);
  await scrub(at.store, at.path, ["taller"]);
  expect(existsSync(backup)).toBe(false);
});

test("takes a text that is longer than half a part for contained", async () => {
  await using at = await opened();
  const long = "x".repeat(PART / 2);
  const backup = at.backup("x", "nothing of it");
  await scrub(at.store, at.path, [long]);
  expect(existsSync(backup)).toBe(true);
  await scrub(at.store, at.path, [`${long}x`]);
  expect(existsSync(backup)).toBe(false);
});

test("pieces of a purged text are not left in the indexes either", async () => {
  // Pieces that no other text has: an index stores them as they are.
  const PIECE = "\u2603\u2604\u2605";
  await using at = await opened(...Array.from({ length: 40 }, (_, index) => `number ${index} ${PIECE}`));
  // Changes of the index in steps, so that it has several segments.
  for (const name of ["Ben", "Cleo", "Dora"])
    await at.change((_, call) =>
      createEntities(
        at.store,
        call,
        Array.from({ length: 30 }, (_, index) => entity(`${name} ${index}`, "person", `${PIECE} ${name} ${index}`)),
      ),
    );
  expect(at.left(PIECE)).toEqual([PIECE]);
  const names = ["Ana", ...["Ben", "Cleo", "Dora"].flatMap((name) => Array.from({ length: 30 }, (_, index) => `${name} ${index}`))];
  const purged = await at.change((_, call) => purgeEntities(at.store, call, names));
  await scrub(at.store, at.path, purged.texts);
  expect(at.left(PIECE)).toEqual([]);
});

test("removes a purged text from the database and its log", async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${SECRET} number ${index} ${"of many ".repeat(30)}`);
  await using at = await opened(...texts);
  expect(at.left(SECRET)).toEqual([SECRET]);
  await at.change((_, call) => deleteEntities(at.store, call, ["Ana"]));
  const purged = await at.change((_, call) => purgeEntities(at.store, call, ["Ana"]));
  await scrub(at.store, at.path, purged.texts);
  expect(at.left(SECRET, "number 39")).toEqual([]);
  expect(statSync(`${at.path}-wal`).size).toBe(0);
  expect(at.store.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
});

test("rewrites the database only while one of the texts is in it", async () => {
  await using at = await opened(SECRET);
  const freePages = (): number =>
    Number(at.store.get<{ count: number }>("SELECT freelist_count AS count FROM pragma_freelist_count")?.count);
  at.store.db.exec("CREATE TABLE big (text); INSERT INTO big VALUES (zeroblob(100000)); DROP TABLE big");
  const before = freePages();
  expect(before).toBeGreaterThan(10);
  await scrub(at.store, at.path, ["no such text"]);
  expect(freePages()).toBeGreaterThan(10);
  await scrub(at.store, at.path, ["no such text", SECRET]);
  expect(freePages()).toBe(0);
});

test("scrubs nothing in a memory without a file", async () => {
  await using at = await opened();
  await scrub(at.store, ":memory:", [SECRET]);
});

// Closing a descriptor of a file drops every lock of the process on it, and another process could then delete the log that is in use.
test("closes no descriptor of the database before the database", needs("/proc"), async () => {
  const at = await opened(SECRET);
  const target = (fd: string): string => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ""; // that of the listing itself
    }
  };
  const openOnes = (): number => readdirSync("/proc/self/fd").filter((fd) => target(fd) === at.path).length;
  const before = openOnes();
  await scrub(at.store, at.path, [SECRET]);
  await scrub(at.store, at.path, [SECRET]);
  expect(openOnes()).toBe(before + 1);
  await at[Symbol.asyncDispose]();
  expect(openOnes()).toBe(0);
});
