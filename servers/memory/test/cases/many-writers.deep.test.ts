// Many writers: 20 of 20 parallel creates, as measured for the reference server; and eight processes that write two hundred times each,
// some of them killed: every acknowledged write is there.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { entity } from "../support/graphs.ts";
import { namesIn } from "../support/mirror-file.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";

const isLong = process.env["OARLOCK_LONG"] === "1";
const processes = isLong ? 8 : 4;
const writes = isLong ? 200 : 25;

describe("rule M1: many writers", () => {
  test("stores 20 of 20 parallel creates of one process, and 40 of 40 of two", async () => {
    await using folder = tempFolder();
    await using one = await startServer(folder.at("m.jsonl"));
    await using other = await startServer(folder.at("m.jsonl"));
    const names = (prefix: string) => Array.from({ length: 20 }, (_, at) => `${prefix}${at}`);
    await Promise.all(names("a").map((name) => one.create(name)));
    expect((await one.names()).toSorted()).toEqual(names("a").toSorted());
    await Promise.all([...names("b").map((name) => one.create(name)), ...names("c").map((name) => other.create(name))]);
    expect((await other.names()).toSorted()).toEqual([...names("a"), ...names("b"), ...names("c")].toSorted());
  });

  test.each(["m.jsonl", "m.db"])(
    `keeps all acknowledged changes when ${processes} processes write ${writes} times each to %s and one is killed`,
    async (name) => {
      await using folder = tempFolder();
      const file = folder.at(name);
      const acknowledged = new Set<string>();
      const keepers = await Promise.all(Array.from({ length: processes }, () => startServer(file)));
      let done = 0;
      const middle = Promise.withResolvers<void>();
      const work = async (server: ServerProcess, who: number): Promise<void> => {
        for (let at = 0; at < writes; at++) {
          const own = `writer ${who} number ${at}`;
          const answer = await server.attempt("create_entities", { entities: [entity(own, "t", `written by ${who}`)] });
          if (answer === undefined) return;
          expect(answer.isError, answer.text).toBe(false);
          acknowledged.add(own);
          if (++done === (processes * writes) / 2) middle.resolve();
        }
      };
      try {
        const killing = middle.promise.then(() => Promise.all([keepers[0]!.kill(), keepers[1]!.kill()]));
        await Promise.all([...keepers.map((server, who) => work(server, who)), killing]);
        // Processes that were not killed have written everything.
        for (let who = 2; who < processes; who++)
          for (let at = 0; at < writes; at++) expect(acknowledged).toContain(`writer ${who} number ${at}`);
        const seen = new Set(await keepers.at(-1)!.names());
        expect([...acknowledged].filter((name) => !seen.has(name))).toEqual([]);
        await Promise.all(keepers.slice(2).map((server) => server.close()));
        if (name === "m.jsonl") expect(new Set(namesIn(file))).toEqual(seen);
        await using last = await startServer(file);
        expect(new Set(await last.names())).toEqual(seen);
      } finally {
        await Promise.all(keepers.map((server) => server[Symbol.asyncDispose]()));
      }
    },
    isLong ? 300_000 : 60_000,
  );
});
