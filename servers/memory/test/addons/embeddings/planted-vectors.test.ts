// Vectors where a stranger has planted a link, or the database of another program, under the name of their file.
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { APPLICATION_ID } from "../../../src/addons/embeddings/vectors/vector-tables.ts";
import { makeForeignDatabase, PURGE, ROWS, rowsIn, serveInSyncedFolder } from "../../support/planted-files.ts";
import { PATIENCE, PEOPLE, setUp } from "./support/embedded-memory.ts";

describe("the file of vectors", () => {
  test("refuses a purge while it is a link to another database, and purges when the link is removed", async () => {
    await using at = await serveInSyncedFolder();
    const other = makeForeignDatabase(at.folder.at("outside/places.sqlite"));
    symlinkSync(other, at.folder.at("sync/m.db.vectors"));
    expect(await at.server.refuses("delete_entities", PURGE)).toBe(
      "File m.db.vectors is a symbolic link: expected a regular file. Remove the link.",
    );
    expect(rowsIn(other)).toEqual(ROWS);
    expect(await at.server.names()).toEqual(["a"]);
    rmSync(at.folder.at("sync/m.db.vectors"));
    await at.server.does("delete_entities", PURGE);
    expect(await at.server.names()).toEqual([]);
  });

  test("refuses a purge while it is the database of another program", async () => {
    await using at = await serveInSyncedFolder();
    const other = makeForeignDatabase(at.folder.at("sync/m.db.vectors"));
    expect(await at.server.refuses("delete_entities", PURGE)).toBe(
      "File m.db.vectors is a database of another program: expected the vectors of this memory. Move it elsewhere.",
    );
    expect(rowsIn(other)).toEqual(ROWS);
    expect(await at.server.names()).toEqual(["a"]);
  });

  test("runs no statement that a table of an older version has in its name", async () => {
    await using at = await serveInSyncedFolder();
    const other = makeForeignDatabase(at.folder.at("outside/places.sqlite"));
    const name = `x"; COMMIT; ATTACH '${other}' AS o; DROP TABLE o.bookmarks; BEGIN; --`;
    const planted = `CREATE TABLE "${name.replaceAll('"', '""')}" (y); CREATE TABLE x (y); PRAGMA application_id = ${APPLICATION_ID}`;
    makeForeignDatabase(at.folder.at("sync/m.db.vectors"), planted);
    const { isError } = await at.server.call("delete_entities", PURGE);
    expect(rowsIn(other)).toEqual(ROWS);
    expect(isError).toBe(false);
  });
});

describe("search by meaning", () => {
  test.each(["m.db.vectors", "m.db.vectors-lock"])("goes on by words where %s is a link, which is not followed", async (name) => {
    await using at = await setUp();
    const { folder } = at;
    mkdirSync(folder.at("outside"));
    const other = makeForeignDatabase(folder.at("outside/places.sqlite"));
    for (const target of [other, folder.at("outside/created.db")]) {
      symlinkSync(target, folder.at(name));
      const opened = at.open();
      await opened.create(PEOPLE);
      await expect.poll(() => opened.warnings.join("\n"), PATIENCE).toContain(`File ${name} is a symbolic link: expected a regular file.`);
      expect(await opened.names("residence")).toEqual([]);
      await opened[Symbol.asyncDispose]();
      rmSync(folder.at(name));
    }
    expect(readdirSync(folder.at("outside"))).toEqual(["places.sqlite"]);
    expect(rowsIn(other)).toEqual(ROWS);
  });
});
