// Where a store may be. Each odd place is refused clearly at the start, or documented; there is no silent fallback.
import { execFileSync } from "node:child_process";
import {
  chownSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { otherUser, startRaw, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { Memory } from "../../src/graph/memory.ts";
import { entity, jsonl } from "../support/graphs.ts";
import { startServer, ServerProcess, namesIn } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

const nobody = otherUser(new URL("../..", import.meta.url));

interface Ended {
  code: number | null;
  stderr: string;
}

/** A start that must fail. A process that keeps running fails the test. */
async function refusedStart(args: readonly string[], env: Record<string, string> = {}, cwd?: string): Promise<Ended> {
  await using server = startRaw({ ...bin(args, env), ...(cwd !== undefined && { cwd }) });
  const { code } = await server.exit();
  return { code, stderr: server.stderr };
}

const started = (args: readonly string[], env: Record<string, string>, cwd?: string): Promise<ServerProcess> =>
  new ServerProcess({ ...bin(args, env), ...(cwd !== undefined && { cwd }) }).begin();

describe("case MEM-13: the store's path", () => {
  test("deviation `place`: servers#692 servers#1018 servers#4327 a relative path starts at the working directory, for the switch and the variable", async () => {
    await using folder = tempFolder({ one: {}, two: {} });
    await using one = await started([], { MEMORY_FILE_PATH: "deep/er/m.jsonl" }, folder.at("one"));
    await one.create("a");
    await one.close();
    expect(namesIn(folder.at("one", "deep/er/m.jsonl"))).toEqual(["a"]);
    await using two = await started(["--db", "deep/m.db"], {}, folder.at("two"));
    await two.create("b");
    await two.close();
    expect(existsSync(folder.at("two", "deep/m.db"))).toBe(true);
    expect(existsSync(folder.at("two", "deep/m.db.jsonl"))).toBe(false);
  });

  test("case MEM-13 a name that is too long, or too long with SQLite's suffixes, is refused at the start", async () => {
    await using folder = tempFolder();
    for (const name of [`${"x".repeat(300)}.jsonl`, `${"x".repeat(250)}.db`]) {
      const { code, stderr } = await refusedStart([], { MEMORY_FILE_PATH: folder.at(name) });
      expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("(ENAMETOOLONG)") });
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("servers#1600 ~ is the home directory, and missing folders are created with mode 0700", async () => {
    await using home = tempFolder();
    await using server = await started([], { MEMORY_FILE_PATH: "~/notes/of mine/m.jsonl", HOME: home.path });
    await server.create("a");
    await server.close();
    expect(namesIn(home.at("notes/of mine/m.jsonl"))).toEqual(["a"]);
    expect(statSync(home.at("notes")).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(home.at("notes/of mine")))
      expect(statSync(home.at("notes/of mine", name)).mode & 0o777, name).toBe(0o600);
    expect(existsSync(home.at("~"))).toBe(false);
  });

  test.each([
    ["no variable", {}],
    ["an empty one", { MEMORY_FILE_PATH: "" }],
    ["a blank one", { MEMORY_FILE_PATH: "  " }],
  ])("servers#220 with %s the memory is in the user's data folder, not in the package", async (_, env) => {
    await using home = tempFolder();
    const unset = process.platform === "linux" ? { XDG_DATA_HOME: home.at("data") } : {};
    const { MEMORY_FILE_PATH: _path, ...rest } = process.env;
    void rest;
    await using server = await started([], { HOME: home.path, ...unset, MEMORY_FILE_PATH: "", ...env });
    await server.create("a");
    await server.close();
    const found = readdirSync(home.path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("memory.db"));
    expect(found).toHaveLength(1);
    expect(statSync(home.at(found[0]!)).mode & 0o777).toBe(0o600);
    expect(readdirSync(home.path, { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?$/.test(name))).toEqual([]);
  });

  test.each(["rel", "", "."])("the data folder %j is not taken from the working directory", async (dataFolder) => {
    await using home = tempFolder({ work: {} });
    await using server = await started([], { HOME: home.path, XDG_DATA_HOME: dataFolder }, home.at("work"));
    await server.create("a");
    await server.close();
    expect(readdirSync(home.at("work"))).toEqual([]);
  });

  test.each(["--db", "MEMORY_FILE_PATH"])("a directory is refused by %s, and nothing is put in it", async (way) => {
    await using folder = tempFolder({ dir: {} });
    const { code, stderr } =
      way === "--db" ? await refusedStart(["--db", folder.at("dir")]) : await refusedStart([], { [way]: folder.at("dir") });
    expect(code).toBe(2);
    expect(stderr).toContain("directory");
    expect(readdirSync(folder.at("dir"))).toEqual([]);
  });

  test("a path through a file is refused", async () => {
    await using folder = tempFolder({ file: "x" });
    const { code, stderr } = await refusedStart(["--db", folder.at("file", "m.jsonl")]);
    expect(code).toBeGreaterThan(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(folder.read("file")).toBe("x");
  });

  test.runIf(process.platform !== "win32").each(["m.jsonl", "m.db", "m.jsonl.db"])("a pipe named %s is refused at once", async (name) => {
    await using folder = tempFolder();
    execFileSync("mkfifo", [folder.at(name)]);
    const { code, stderr } = await refusedStart(["--db", folder.at(name === "m.jsonl.db" ? "m.jsonl" : name)]);
    expect(code).toBe(2);
    expect(stderr).toContain("regular file");
  });

  test("a file URL names its file, for the switch and the variable", async () => {
    await using folder = tempFolder({ work: {} });
    const url = pathToFileURL(folder.at("a folder", "m.jsonl")).href;
    await using one = await started([], { MEMORY_FILE_PATH: url }, folder.at("work"));
    await one.create("a");
    await one.close();
    await using two = await started(["--db", url], {}, folder.at("work"));
    await two.create("b");
    await two.close();
    expect(namesIn(folder.at("a folder", "m.jsonl"))).toEqual(["a", "b"]);
    expect(readdirSync(folder.at("work"))).toEqual([]);
  });

  test.each(["file:m.db", "file://elsewhere/m.db", "file:///m.db?mode=ro", "file:///m.db#x", "file:///a%2Fm.db", "FILE:m"])(
    "the URL %s, which names no local file, is refused",
    async (url) => {
      await using folder = tempFolder();
      for (const [args, env] of [
        [[], { MEMORY_FILE_PATH: url }],
        [["--db", url], {}],
      ] as const) {
        const { code, stderr } = await refusedStart(args, env, folder.path);
        expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("is not the URL of a file on this machine") });
      }
      expect(readdirSync(folder.path)).toEqual([]);
    },
  );

  test.runIf(process.platform === "linux")("a folder in which no file can be created is reported at the start", async () => {
    const { code, stderr } = await refusedStart([], { MEMORY_FILE_PATH: "/proc/x.jsonl" });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Cannot store the memory at \/proc\/x\.jsonl \(E\w+\)/),
    });
  });

  test("a folder that is deleted before the first call is reported clearly", async () => {
    await using folder = tempFolder({ dir: {} });
    const memory = new Memory({ location: { database: folder.at("dir", "m.db") } });
    rmSync(folder.at("dir"), { recursive: true });
    writeFileSync(folder.at("dir"), "");
    await expect(memory.open()).rejects.toMatchObject({ expose: true, message: expect.stringMatching(/files of the memory .*\(E\w+\)/) });
    await memory.close();
  });

  test("a device is refused", async () => {
    const { code } = await refusedStart(["--db", "/dev/null"]);
    expect(code).toBe(2);
  });

  test.runIf(process.platform !== "win32")(
    "a folder that is not writable is reported at the start or by the call, and nothing is stored elsewhere",
    async () => {
      await using folder = tempFolder({ closed: { "m.jsonl": jsonl([entity("a", "t")]) }, home: {} });
      const closed = folder.at("closed");
      chmodSync(closed, 0o555);
      const { id } = nobody;
      if (id !== undefined)
        for (const path of [folder.path, closed, folder.at("closed/m.jsonl"), folder.at("home")]) chownSync(path, id, id);
      const own = bin(["--db", folder.at("closed", "m.jsonl")], { HOME: folder.at("home"), XDG_DATA_HOME: folder.at("home") });
      await using server = startRaw(nobody.command(own));
      const answer = await server.handshake().catch(() => server.exit());
      if ("code" in answer) {
        expect(answer["code"]).toBe(3);
        expect(server.stderr).toMatch(/writ|permission|read-only/i);
      } else {
        const call = {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "create_entities", arguments: { entities: [entity("b", "t")] } },
        };
        const { result } = (await server.request(call)) as unknown as { result: { isError: boolean; content: { text: string }[] } };
        expect(result.isError).toBe(true);
        expect(result.content[0]!.text).toMatch(/writ|permission|read-only/i);
      }
      expect(readdirSync(folder.at("home"))).toEqual([]);
      expect(readdirSync(closed)).toEqual(["m.jsonl"]);
      chmodSync(closed, 0o755);
    },
  );

  test("a path inside the installed package is refused, in any spelling", async () => {
    const own = fileURLToPath(new URL("../..", import.meta.url));
    await using folder = tempFolder();
    symlinkSync(own, folder.at("link"));
    for (const path of [
      join(own, "memory.jsonl"),
      join(own, "dist", "memory.jsonl"),
      folder.at("link", "m.db"),
      join(own, "src/../x/m.jsonl"),
    ]) {
      const { code, stderr } = await refusedStart(["--db", path]);
      expect({ path, code }).toEqual({ path, code: 2 });
      expect(stderr).toMatch(/package|update/i);
      expect(existsSync(path)).toBe(false);
    }
  });

  test("a link to a missing file is followed: its target is created, the link stays", async () => {
    await using folder = tempFolder({ there: {} });
    symlinkSync(folder.at("there", "m.jsonl"), folder.at("m.jsonl"));
    await using server = await startServer(folder.at("m.jsonl"));
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
    const { code, stderr } = await refusedStart(["--db", folder.at("one.jsonl")]);
    expect(code).toBeGreaterThan(1);
    expect(stderr).toMatch(/link/i);
  });

  test.each([
    ["text named .db", "m.db", "not a database\n".repeat(10)],
    ["a database of another program", "m.db", undefined],
    ["text where the store beside the file should be", "m.jsonl.db", "not a database at all\n".repeat(10)],
  ])("%s is refused and stays as it is", async (_, name, content) => {
    await using folder = tempFolder();
    if (content === undefined) {
      const { default: Database } = await import("better-sqlite3");
      const db = new Database(folder.at(name));
      db.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO notes (text) VALUES ('precious')");
      db.close();
    } else writeFileSync(folder.at(name), content);
    const before = folder.read(name);
    const file = folder.at(name.replace(/\.jsonl\.db$/, ".jsonl"));
    await using server = startRaw(bin(["--db", file]));
    const answer = await server.handshake().catch(() => server.exit());
    if (!("code" in answer)) {
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "create_entities", arguments: { entities: [entity("b", "t")] } },
      };
      const { result } = (await server.request(call)) as unknown as { result: { isError: boolean; content: { text: string }[] } };
      expect(result.isError).toBe(true);
      expect(result.content[0]!.text).toMatch(/database/i);
    } else expect(server.stderr).toMatch(/database/i);
    expect(folder.read(name)).toBe(before);
    expect(existsSync(folder.at("m.jsonl"))).toBe(false);
  });

  test.each(["m.jsonl", "m.db"])(
    "nothing that would be lost is acknowledged when the file of %s is moved, replaced or deleted",
    async (name) => {
      await using folder = tempFolder();
      const store = folder.at(name === "m.db" ? "m.db" : "m.jsonl.db");
      await using server = await startServer(folder.at(name));
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
      await using next = await startServer(folder.at(name));
      expect(await next.names()).toEqual([]);
    },
  );

  test("a watched store that is moved, and then written by another process, does not end the server", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.db"));
    await server.create("a");
    await server.request("resources/subscribe", { uri: "memory://recent" });
    const { default: Database } = await import("better-sqlite3");
    const other = new Database(folder.at("m.db"));
    other.exec("SELECT * FROM call");
    renameSync(folder.at("m.db"), folder.at("kept"));
    // Twice the polling interval.
    for (let turn = 0; turn < 6; turn++) {
      other.exec("INSERT INTO call (at, client) VALUES (0, 'other')");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    other.close();
    expect(await server.refuses("read_graph")).toContain("restart the server");
    expect(server.stderr).not.toMatch(/GraphError|at .*:\d+/);
  });

  test("the files of a store have mode 0600, whatever the umask", async () => {
    await using folder = tempFolder();
    const own = bin(["--db", folder.at("m.jsonl")]);
    const quoted = [own.command, ...(own.args ?? [])].map((word) => `'${word}'`).join(" ");
    await using server = await new ServerProcess({ ...own, command: "sh", args: ["-c", `umask 000; exec ${quoted}`] }).begin();
    await server.create("a");
    for (const name of readdirSync(folder.path))
      expect(`${name} ${(statSync(folder.at(name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
    await server.close();
    for (const name of readdirSync(folder.path))
      expect(`${name} ${(statSync(folder.at(name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
    mkdirSync(folder.at("done"));
  });
});
