// Where a store may be. Each odd place is refused clearly at the start, or documented; there is no silent fallback.
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { needs, tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { configuredLocation, locate } from "../../src/configured-location.ts";
import { LocationError } from "../../src/graph/location.ts";
import { Memory } from "../../src/graph/memory.ts";
import { entity } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { namesIn } from "../support/mirror-file.ts";

type Environment = Readonly<Record<string, string>>;

/** Why a start with this --db and these variables fails. It has exit code 3 where the machine prevents it, otherwise 2. */
function refusalOf(db: string | undefined, env: Environment = {}): LocationError {
  try {
    locate(db, env);
  } catch (error) {
    if (error instanceof LocationError) return error;
    throw error;
  }
  throw new Error(`not refused: ${db}`);
}

/** The switch and the variable. */
const ways = (path: string): readonly (readonly [string | undefined, Environment])[] => [
  [path, {}],
  [undefined, { MEMORY_FILE_PATH: path }],
];

describe("case MEM-13: the store's path", () => {
  test("deviation `place`: servers#692 servers#1018 servers#4327 a relative path starts at the working directory, for the switch and the variable", () => {
    // Not below it: tests may run in the folder of the server, where nothing may be stored.
    for (const [db, env] of ways("../deep/m.jsonl"))
      expect(configuredLocation(db, env)).toEqual({ database: resolve("../deep/m.jsonl.db"), mirror: resolve("../deep/m.jsonl") });
    expect(configuredLocation("../deep/m.db", {})).toEqual({ database: resolve("../deep/m.db") });
  });

  test("refuses a name that is too long, with SQLite's suffixes too", async () => {
    await using folder = tempFolder();
    for (const name of [`${"x".repeat(300)}.jsonl`, `${"x".repeat(250)}.db`])
      expect(refusalOf(folder.at(name))).toMatchObject({ isEnvironment: true, message: expect.stringContaining("(ENAMETOOLONG)") });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("servers#1600 ~ is the home directory, also in a variable", () => {
    for (const [db, env] of ways("~/notes/m.db")) expect(configuredLocation(db, env)).toEqual({ database: join(homedir(), "notes/m.db") });
    expect(configuredLocation("/x/~/m.db", {})).toEqual({ database: "/x/~/m.db" });
  });

  test("creates missing folders with mode 0700, and files with 0600", async () => {
    await using folder = tempFolder();
    const file = folder.at("notes/of mine/m.jsonl");
    await using server = await serveInProcess(file);
    await server.create("a");
    await server.close();
    expect(namesIn(file)).toEqual(["a"]);
    expect(statSync(folder.at("notes")).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder.at("notes/of mine")))
      expect(statSync(folder.at("notes/of mine", name)).mode & 0o777, name).toBe(0o600);
  });

  test.each<[string, Environment]>([
    ["no variable", {}],
    ["an empty one", { MEMORY_FILE_PATH: "" }],
    ["a blank one", { MEMORY_FILE_PATH: "  " }],
  ])("servers#220 with %s the memory is in the user's data folder, not in the package", needs("Linux"), async (_, env) => {
    await using home = tempFolder();
    const location = locate(undefined, { XDG_DATA_HOME: home.at("data"), ...env });
    const database = home.at("data/oarlock/memory/memory.db");
    expect(location).toEqual({ database });
    expect(statSync(dirname(database)).mode & 0o777).toBe(0o700);
  });

  test.each(["rel", "", "."])("does not take the data folder %j from the working directory", needs("Linux"), (dataFolder) => {
    expect(configuredLocation(undefined, { XDG_DATA_HOME: dataFolder })).toEqual({
      database: join(homedir(), ".local/share/oarlock/memory/memory.db"),
    });
  });

  test("refuses a directory without putting anything in it", async () => {
    await using folder = tempFolder({ dir: {} });
    for (const [db, env] of ways(folder.at("dir")))
      expect(refusalOf(db, env)).toMatchObject({ isEnvironment: false, message: expect.stringContaining("directory") });
    expect(readdirSync(folder.at("dir"))).toEqual([]);
  });

  test("refuses a path through a file", async () => {
    await using folder = tempFolder({ file: "x" });
    expect(refusalOf(folder.at("file", "m.jsonl")).message).toMatch(/^Cannot store the memory at .* \(E\w+\)/);
    expect(folder.read("file")).toBe("x");
  });

  test.each(["m.jsonl", "m.db", "m.jsonl.db"])("refuses a pipe named %s at once", needs("named pipes"), async (name) => {
    await using folder = tempFolder();
    execFileSync("mkfifo", [folder.at(name)]);
    const refusal = refusalOf(folder.at(name === "m.jsonl.db" ? "m.jsonl" : name));
    expect(refusal).toMatchObject({ isEnvironment: false, message: expect.stringContaining("regular file") });
  });

  test("takes a file URL, from the switch and the variable", async () => {
    await using folder = tempFolder();
    const file = folder.at("a folder", "m.jsonl");
    for (const [db, env] of ways(pathToFileURL(file).href)) expect(locate(db, env)).toEqual({ database: `${file}.db`, mirror: file });
    expect(readdirSync(folder.path)).toEqual(["a folder"]);
  });

  test.each(["file:m.db", "file://elsewhere/m.db", "file:///m.db?mode=ro", "file:///m.db#x", "file:///a%2Fm.db", "FILE:m"])(
    "the URL %s, which names no local file, is refused",
    (url) => {
      for (const [db, env] of ways(url))
        expect(refusalOf(db, env)).toMatchObject({
          isEnvironment: false,
          message: expect.stringContaining("is not the URL of a file on this machine"),
        });
    },
  );

  test("reports a folder in which no file can be created", needs("/proc"), () => {
    expect(refusalOf(undefined, { MEMORY_FILE_PATH: "/proc/x.jsonl" })).toMatchObject({
      isEnvironment: true,
      message: expect.stringMatching(/^Cannot store the memory at \/proc\/x\.jsonl \(E\w+\)/),
    });
  });

  test("reports a folder that is deleted before the first call", async () => {
    await using folder = tempFolder({ dir: {} });
    const memory = new Memory({ location: { database: folder.at("dir", "m.db") } });
    rmSync(folder.at("dir"), { recursive: true });
    writeFileSync(folder.at("dir"), "");
    await expect(memory.open()).rejects.toMatchObject({ expose: true, message: expect.stringMatching(/files of the memory .*\(E\w+\)/) });
    await memory.close();
  });

  test("refuses a device", needs("special files"), () => {
    expect(refusalOf("/dev/null").isEnvironment).toBe(false);
  });

  test("refuses a path inside the installed package, in any spelling", async () => {
    const own = fileURLToPath(new URL("../..", import.meta.url));
    await using folder = tempFolder();
    symlinkSync(own, folder.at("link"));
    for (const path of [
      join(own, "memory.jsonl"),
      join(own, "dist", "memory.jsonl"),
      folder.at("link", "m.db"),
      join(own, "src/../x/m.jsonl"),
    ]) {
      expect(refusalOf(path), path).toMatchObject({ isEnvironment: false, message: expect.stringContaining("an update of the package") });
      expect(existsSync(path)).toBe(false);
    }
  });

  test("follows a link to a missing file, and creates its target", async () => {
    await using folder = tempFolder({ there: {} });
    symlinkSync(folder.at("there", "m.jsonl"), folder.at("m.jsonl"));
    await using server = await serveInProcess(folder.at("m.jsonl"));
    await server.create("a");
    await server.close();
    expect(lstatSync(folder.at("m.jsonl")).isSymbolicLink()).toBe(true);
    expect(namesIn(folder.at("there", "m.jsonl"))).toEqual(["a"]);
    expect(readdirSync(folder.path).filter((name) => name.endsWith(".db"))).toEqual([]);
  });

  test("links in a circle are refused", async () => {
    await using folder = tempFolder();
    symlinkSync(folder.at("two.jsonl"), folder.at("one.jsonl"));
    symlinkSync(folder.at("one.jsonl"), folder.at("two.jsonl"));
    expect(refusalOf(folder.at("one.jsonl")).message).toContain("too many links");
  });

  test("refuses text in a file named .db", async () => {
    const text = "not a database\n".repeat(10);
    await using folder = tempFolder({ "m.db": text });
    expect(refusalOf(folder.at("m.db")).message).toContain("is not a SQLite database");
    expect(folder.read("m.db")).toBe(text);
  });

  test.each([
    ["a database of another program", "m.db", undefined],
    ["text where the store beside the file should be", "m.jsonl.db", "not a database at all\n".repeat(10)],
  ])("%s is refused and stays as it is", async (_, name, content) => {
    await using folder = tempFolder();
    if (content === undefined) {
      const db = new Database(folder.at(name));
      db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes (text) VALUES ('precious')");
      db.close();
    } else writeFileSync(folder.at(name), content);
    const before = folder.read(name);
    await using server = await serveInProcess(folder.at(name.replace(/\.jsonl\.db$/, ".jsonl")));
    expect(await server.refuses("create_entities", { entities: [entity("b", "t")] })).toMatch(/database/i);
    expect(folder.read(name)).toBe(before);
    expect(existsSync(folder.at("m.jsonl"))).toBe(false);
  });

  test.each(["m.jsonl", "m.db"])(
    "nothing that would be lost is acknowledged when the file of %s is moved, replaced or deleted",
    async (name) => {
      await using folder = tempFolder();
      const store = folder.at(name === "m.db" ? "m.db" : "m.jsonl.db");
      await using server = await serveInProcess(folder.at(name));
      await server.create("a");
      const isRefused = async (): Promise<void> => {
        const creates = { entities: [entity("b", "t")] };
        expect(await server.refuses("create_entities", creates)).toContain("restart the server");
        expect(await server.refuses("read_graph")).toContain("restart the server");
      };
      renameSync(store, folder.at("kept"));
      await isRefused();
      writeFileSync(store, "another file");
      await isRefused();
      expect(readFileSync(store, "utf8")).toBe("another file");
      // The same file again.
      renameSync(folder.at("kept"), store);
      await server.create("c");
      expect(await server.names()).toEqual(["a", "c"]);
      for (const file of readdirSync(folder.path)) rmSync(folder.at(file));
      await isRefused();
      await server.close();
      expect(readdirSync(folder.path)).toEqual([]);
      await using next = await serveInProcess(folder.at(name));
      expect(await next.names()).toEqual([]);
    },
  );
});
