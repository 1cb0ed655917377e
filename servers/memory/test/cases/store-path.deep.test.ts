// Where a store may be, as processes find it: from the working directory, the home folder and the variables. A refusal has its exit code.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { otherUser } from "@oarlock-tooling/test-support/other-user";
import { needs, startRaw, tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { entity, jsonl } from "../support/graphs.ts";
import { namesIn } from "../support/mirror-file.ts";
import { startServer, ServerProcess } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

const nobody = otherUser(new URL("../..", import.meta.url));

const started = (args: readonly string[], env: Record<string, string>, cwd?: string): Promise<ServerProcess> =>
  new ServerProcess({ ...bin(args, env), ...(cwd !== undefined && { cwd }) }).begin();

describe("case MEM-13: the store's path", () => {
  test("servers#692 servers#1018 servers#4327 a relative path starts at the working directory, for the switch and the variable", async () => {
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

  test("servers#220 without a path the memory is in the user's data folder, not in the package", async () => {
    await using home = tempFolder();
    const unset = process.platform === "linux" ? { XDG_DATA_HOME: home.at("data") } : {};
    await using server = await started([], { HOME: home.path, ...unset, MEMORY_FILE_PATH: "" });
    await server.create("a");
    await server.close();
    const found = readdirSync(home.path, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("memory.db"));
    expect(found).toHaveLength(1);
    expect(statSync(home.at(found[0]!)).mode & 0o777).toBe(0o600);
    expect(readdirSync(home.path, { recursive: true, encoding: "utf8" }).filter((name) => /\.jsonl?$/.test(name))).toEqual([]);
  });

  test("refuses a directory with exit code 2, and a name that is too long with 3", async () => {
    await using folder = tempFolder({ dir: {} });
    for (const [path, code, message] of [
      [folder.at("dir"), 2, "directory"],
      [folder.at(`${"x".repeat(300)}.jsonl`), 3, "(ENAMETOOLONG)"],
    ] as const) {
      await using server = startRaw(bin([], { MEMORY_FILE_PATH: path }));
      expect(await server.exit()).toMatchObject({ code });
      expect(server.stderr).toContain(message);
    }
    expect(readdirSync(folder.path)).toEqual(["dir"]);
  });

  test(
    "a folder that is not writable is reported at the start or by the call, and nothing is stored elsewhere",
    needs("file modes"),
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

  test("survives a watched store that is moved and then written by another process", async () => {
    await using folder = tempFolder();
    await using server = await startServer(folder.at("m.db"));
    await server.create("a");
    await server.request("resources/subscribe", { uri: "memory://recent" });
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

  test("creates the files of a store with mode 0600, whatever the umask", async () => {
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
