// Known problems of other memory servers with several processes and with kills: one test each. The manual lists them.
import { readdirSync, statSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { namesIn } from "../support/mirror-file.ts";
import { startServer } from "../support/server-process.ts";

const named = (...names: string[]) => ({ entities: names.map((name) => entity(name, "t")) });

test("servers#4797 servers#3286 servers#3060 parallel writes of two processes are all in the store and in the file", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.jsonl");
  await using one = await startServer(file);
  await using other = await startServer(file);
  const each = Array.from({ length: 20 }, (_, at) => at);
  await Promise.all(each.flatMap((at) => [one.create(`one ${at}`), other.create(`other ${at}`)]));
  const wanted = each.flatMap((at) => [`one ${at}`, `other ${at}`]).toSorted();
  expect((await one.names()).toSorted()).toEqual(wanted);
  await Promise.all([one.close(), other.close()]);
  expect(namesIn(file).toSorted()).toEqual(wanted);
});

test("getzep/graphiti#1707 getzep/graphiti#704 an acknowledged change survives a kill right afterwards", async () => {
  await using folder = tempFolder();
  for (let round = 0; round < 3; round++) {
    await using server = await startServer(folder.at("m.jsonl"));
    const pending = [0, 1, 2].map((at) => server.attempt("create_entities", named(`${round} ${at}`)));
    await server.create(`${round}`);
    await server.kill();
    const acknowledged = (await Promise.all(pending)).flatMap((answer, at) => (answer === undefined ? [] : [`${round} ${at}`]));
    await using next = await startServer(folder.at("m.jsonl"));
    expect(await next.names()).toEqual(expect.arrayContaining([`${round}`, ...acknowledged]));
  }
});

test("MemPalace/mempalace#2302 0xK3vin/MegaMemory#13 DeusData/codebase-memory-mcp#1037 DeusData/codebase-memory-mcp#1206 a process that ends does not disturb the others", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  await using one = await startServer(file);
  await one.create("first");
  const { ino } = statSync(file);
  for (let round = 0; round < 3; round++) {
    await using other = await startServer(file);
    await Promise.all([other.create(`other ${round}`), one.create(`one ${round}`)]);
    const log = statSync(`${file}-wal`).size;
    await other.close();
    expect(statSync(`${file}-wal`).size).toBeGreaterThanOrEqual(log);
    expect(await one.names()).toContain(`other ${round}`);
  }
  expect(await one.close()).toEqual({ code: 0, signal: null });
  expect(statSync(file).ino).toBe(ino);
  expect(readdirSync(folder.path).filter((name) => !/^m\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  await using again = await startServer(file);
  expect(await again.names()).toHaveLength(7);
});

test("GlitterKill/sdl-mcp#15 pomazanbohdan/memory-mcp-1file#41 four clients start at once on a new store, and all write", async () => {
  await using folder = tempFolder();
  const keepers = await Promise.all([0, 1, 2, 3].map(() => startServer(folder.at("m.jsonl"))));
  try {
    await Promise.all(keepers.map((server, at) => server.create(`e${at}`)));
    for (const server of keepers) expect((await server.names()).toSorted()).toEqual(["e0", "e1", "e2", "e3"]);
  } finally {
    await Promise.all(keepers.map((server) => server[Symbol.asyncDispose]()));
  }
});
