// Files that other programs replace, move, damage or lock, and read-only use: the error is clear, and stored data stays. Case MEM-15.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { locate } from "../../src/configured-location.ts";
import { Memory } from "../../src/graph/memory.ts";
import { createServer } from "../../src/server.ts";
import { entity, jsonl } from "../support/graphs.ts";
import { serveInProcess } from "../support/in-process.ts";
import { namesIn, recordsIn } from "../support/mirror-file.ts";
import { allowWaiting, until } from "../support/patience.ts";

allowWaiting();

const big = (name: string) => ({ entities: [entity(name, "t", "x".repeat(50_000))] });

describe("case MEM-15: changes to the files by other programs", () => {
  test("tells the operator of a database whose pages are damaged", async () => {
    await using folder = tempFolder();
    const location = { database: folder.at("m.db") };
    {
      await using server = await serveInProcess(folder.at("m.db"));
      for (let number = 0; number < 5; number++) await server.call("create_entities", big(`e${number}`));
    }
    for (const ending of ["-wal", "-shm"]) {
      const db = new Database(location.database);
      db.pragma("wal_checkpoint(TRUNCATE)");
      db.close();
      rmSync(location.database + ending, { force: true });
    }
    const bytes = readFileSync(location.database);
    writeFileSync(location.database, bytes.fill(0xa5, 4096));
    const faults: unknown[] = [];
    const memory = new Memory({ location, onFault: (...fault) => void faults.push(fault) });
    await expect(memory.read((store) => store.read(() => store.all("SELECT * FROM observation")))).rejects.toThrow(
      /damaged \(SQLITE_CORRUPT/,
    );
    await memory.close();
    expect(faults).toContainEqual([location.database, "damaged"]);
  });

  test("reports a mirror that was replaced by a directory, and keeps the store working", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.jsonl");
    await using server = await serveInProcess(file);
    await server.create("a");
    await until(
      () => existsSync(file),
      (is) => is,
    );
    rmSync(file);
    mkdirSync(file);
    await server.create("b");
    expect((await server.names()).includes("b")).toBe(true);
    await until(
      () => server.stderr,
      (text) => text.includes("m.jsonl"),
    );
    rmSync(file, { recursive: true });
    await server.create("c");
    await server.close();
    const names = namesIn(file);
    expect(names).toContain("b");
    expect(names).toContain("c");
  });

  test("writes a mirror again after it was moved away, or takes that for a deletion, with a backup", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.jsonl");
    await using server = await serveInProcess(file);
    await server.create("a");
    await until(
      () => existsSync(file),
      (is) => is,
    );
    renameSync(file, folder.at("moved"));
    await server.create("b");
    await until(
      () => existsSync(file) && namesIn(file).includes("b"),
      (is) => is,
    );
    const kept = (await server.names()).includes("a") || readdirSync(folder.path).some((name) => /backup/.test(name));
    expect(kept).toBe(true);
  });

  test("reports a damaged store, and neither renames, replaces nor empties it", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.db");
    {
      await using server = await serveInProcess(file);
      for (let at = 0; at < 20; at++) await server.does("create_entities", big(`e${at}`));
    }
    const bytes = readFileSync(file);
    for (let at = 4096; at < bytes.length; at += 512) bytes.fill(0x5a, at, at + 256);
    folder.write({ "m.db": bytes });
    rmSync(`${file}-wal`, { force: true });
    rmSync(`${file}-shm`, { force: true });
    await using server = await serveInProcess(file);
    for (const [name, args] of [
      ["read_graph", {}],
      ["create_entities", big("new")],
      ["search_nodes", { query: "e1" }],
    ] as const) {
      const { isError, text } = await server.call(name, args);
      if (isError) expect(text).toMatch(/damaged|malformed|corrupt/i);
      expect(text).not.toMatch(/\n\s+at /);
    }
    expect(readFileSync(file).length).toBeGreaterThanOrEqual(bytes.length);
  });

  test("a call waits for a lock of another program, and reads run in the meantime", async () => {
    await using folder = tempFolder();
    const file = folder.at("m.db");
    await using server = await serveInProcess(file);
    await server.create("a");
    const other = new Database(file);
    try {
      other.exec("BEGIN IMMEDIATE");
      const waiting = server.call("create_entities", { entities: [entity("b", "t")] });
      // The read is answered although the lock ends only after it.
      expect(await server.names()).toEqual(["a"]);
      other.exec("COMMIT");
      expect((await waiting).isError).toBe(false);
    } finally {
      other.close();
    }
    expect(await server.names()).toEqual(["a", "b"]);
  });
});

test("throws for a truncated file", async () => {
  await using folder = tempFolder({ cut: jsonl([entity("a", "t")]).slice(0, -1), torn: '{"type":' });
  expect(() => recordsIn(folder.at("cut"))).toThrow("no newline");
  expect(() => recordsIn(folder.at("torn"))).toThrow("no newline");
});

test("reports an error of opening a store, and tries again with the next call", async () => {
  await using folder = tempFolder({ "m.jsonl": jsonl([entity("a", "t")]) });
  const warnings: string[] = [];
  const location = { database: folder.at("m.jsonl.db"), mirror: folder.at("m.jsonl") };
  const memory = new Memory({ location, warn: (message) => warnings.push(message) });
  let failures = 2;
  memory.onOpen(() => {
    if (failures-- > 0) throw Object.assign(new Error("disk"), { code: "SQLITE_IOERR_READ" });
  });
  const look = async (): Promise<number> => await memory.read((store) => store.totals().entities);
  for (let times = 0; times < 2; times++) await expect(look()).rejects.toThrow("Disk error at the memory");
  expect(await look()).toBe(1);
  await memory.close();
  expect(warnings).toEqual([]);
});

test("reports damage once to the operator, and to the client with its next call", async () => {
  await using folder = tempFolder({ "m.jsonl": `${jsonl([entity("a", "t")])}{torn\n` });
  const operator: unknown[] = [];
  const server = createServer({ location: locate(folder.at("m.jsonl"), {}), warn: (message) => operator.push(message) });
  await using wired = await connectTo(server, { endpoint: { log: (_level, data) => void operator.push(data) } });
  await wired.client.call("read_graph");
  const damage = expect.stringContaining("1 line of m.jsonl not accepted");
  expect(operator).toEqual([damage]);
  expect(wired.log.map(({ text }) => text).filter((text) => text.includes("notifications/message"))).toEqual([damage]);
});

test("reports damaged lines with --read-only without writing a side file", async () => {
  await using folder = tempFolder({ "m.jsonl": `${jsonl([entity("a", "t")])}{torn\n` });
  await using server = await serveInProcess(folder.at("m.jsonl"), { readOnly: true });
  expect(await server.names()).toEqual(["a"]);
  expect(server.stderr).toContain("1 line of m.jsonl not accepted (line 2");
  expect(Object.keys(folder.tree())).toEqual(["m.jsonl"]);
});

test("--read-only serves an empty memory where the folder is missing, and removes nothing", async () => {
  await using folder = tempFolder({ "m.jsonl.oarlock-999999999-a.tmp": "" });
  for (const name of ["m.jsonl", "none/m.jsonl"]) {
    await using server = await serveInProcess(folder.at(name), { readOnly: true });
    expect(await server.names()).toEqual([]);
  }
  expect(Object.keys(folder.tree())).toEqual(["m.jsonl.oarlock-999999999-a.tmp"]);
});
