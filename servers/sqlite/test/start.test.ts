// The start: which files are served, which are refused and why, and that it has no side effects. start.deep.test.ts starts the process.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { findServedFiles, type CommandLine } from "../src/served-files.ts";
import { makeDatabase, SHOP } from "./support/databases.ts";
import { text } from "./support/shop.ts";
import { targetOf } from "./support/target.ts";

/** A command line that names databases, and no switch. */
const naming = (...positionals: string[]): CommandLine => ({ positionals, dbPath: undefined, readWrite: false, readOnly: false });
const withDbPath = (dbPath: string, readOnly = false): CommandLine => ({ positionals: [], dbPath, readWrite: false, readOnly });

type At = (name: string) => string;

describe("the start", () => {
  test.each<[string, (at: At) => CommandLine, number, RegExp]>([
    ["a missing file", (at) => naming(at("none.db")), 3, /none\.db does not exist\. Use --db-path FILE to create a database/],
    [
      "a missing folder",
      (at) => naming(at("none/deep/x.db")),
      3,
      /x\.db does not exist: the folder \/.*\/none is missing\. Create the folder \/.*\/none, or correct/,
    ],
    [
      "a missing file that may not be created",
      (at) => withDbPath(at("none.db"), true),
      3,
      /none\.db does not exist\. Start once without --read-only/,
    ],
    ["a directory", (at) => naming(at("folder")), 3, /folder is a directory/],
    ["a link", (at) => naming(at("link.db")), 3, /link\.db is a symbolic link/],
    ["memory", () => naming(":memory:"), 2, /expected the path of a file/],
    ["an address", () => naming("file:x.db?mode=rwc"), 2, /expected the path of a file/],
    ["an empty name", () => naming(""), 2, /expected the path of a file/],
    ["a name of blanks", () => naming(" "), 2, /expected the path of a file/],
    ["memory with a name", () => naming("x=:memory:"), 2, /expected the path of a file/],
    ["an address with a name", () => naming("x=file:plain.db"), 2, /expected the path of a file/],
    [
      "a file in place of the folder",
      (at) => withDbPath(at("shop.db/none.db")),
      3,
      /The folder of \/.*\/shop\.db\/none\.db cannot be created \(EEXIST\)/,
    ],
    [
      "a folder below a file",
      (at) => withDbPath(at("shop.db/a/none.db")),
      3,
      /The folder of \/.*\/shop\.db\/a\/none\.db cannot be created \(ENOTDIR\)/,
    ],
    ["a journal that is a link", (at) => naming(at("journal.db")), 3, /journal beside the database is not an ordinary file/],
  ])("fails with an error for %s", async (_what, lineOf, code, message) => {
    await using folder = tempFolder();
    makeDatabase(folder.at("shop.db"), SHOP);
    makeDatabase(folder.at("journal.db"), SHOP);
    mkdirSync(folder.at("folder"));
    symlinkSync("shop.db", folder.at("link.db"));
    symlinkSync("shop.db", folder.at("journal.db-journal"));
    expect(() => findServedFiles(lineOf((name) => folder.at(name)))).toThrow(
      expect.objectContaining({ name: "StartError", code, message: expect.stringMatching(message) as string }),
    );
    expect(existsSync(folder.at("none.db"))).toBe(false);
  });

  test.runIf(existsSync("/proc/self"))("fails with an error when no folder can be created", () => {
    expect(() => findServedFiles(withDbPath("/proc/oarlock/deep/none.db"))).toThrow(
      /The folder of \/proc\/oarlock\/deep\/none\.db cannot be created \(ENOENT\)/,
    );
  });

  test("skips missing databases with a reason", async () => {
    await using folder = tempFolder();
    const file = makeDatabase(folder.at("shop.db"), SHOP);
    expect(findServedFiles(naming(folder.at("none.db"), file))).toEqual({
      databases: [{ name: "shop", file, write: false, create: false }],
      skipped: [`${folder.at("none.db")} does not exist. Use --db-path FILE to create a database.`],
    });
  });

  test("names databases after their files, with numbers for repeated names", async () => {
    await using folder = tempFolder();
    const file = makeDatabase(folder.at("shop.db"), SHOP);
    const { databases } = findServedFiles({ ...withDbPath(folder.at("new/data.db")), positionals: [file, `shop=${file}`, `b=${file}`] });
    expect(databases.map(({ name, write, create }) => [name, write, create])).toEqual([
      ["data", true, true],
      ["shop", false, false],
      ["shop_2", false, false],
      ["b", false, false],
    ]);
    expect(existsSync(folder.at("new"))).toBe(true);
    expect(existsSync(folder.at("new/data.db"))).toBe(false);
  });
});

test("deviation 'name': reports oarlock-sqlite in serverInfo", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(targetOf({ files: [makeDatabase(folder.at("shop.db"), SHOP)] }));
  expect(wired.client.serverInfo).toMatchObject({ name: "oarlock-sqlite", title: "SQLite" });
});

test("lists its tools without reading a database", async () => {
  await using folder = tempFolder();
  writeFileSync(folder.at("broken.db"), "This is not a database, which the first query notices.");
  await using wired = await connectTo(targetOf({ files: [folder.at("broken.db")] }));
  await Array.fromAsync(wired.client.tools());
  expect(text(await wired.client.call("read_query", { query: "SELECT 1 FROM sqlite_schema" }))).toBe(
    "The file is not a SQLite database: it is a text. If it is CSV, create a database and use import_csv.",
  );
});
