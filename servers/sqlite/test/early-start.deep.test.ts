// One reader starts soon after the client's first messages, and none where there is no database to read.
import { existsSync } from "node:fs";
import { childProcesses, startRaw, tempFolder, waitUntil } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeDatabase } from "./support/databases.ts";
import { bin } from "./support/target.ts";

const canSeeProcesses = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);
const discover = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/list",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

describe.runIf(canSeeProcesses)("a server", () => {
  test("starts one reader after initialized, although several databases are served", async () => {
    await using folder = tempFolder();
    const files = ["a.db", "b.db"].map((name) => makeDatabase(folder.at(name), "CREATE TABLE t (a)"));
    await using server = startRaw(bin(files));
    await server.handshake();
    await waitUntil(
      () => childProcesses(server.pid).length,
      (count) => count === 1,
      30_000,
    );
  });

  test("starts one reader after the first stateless request", async () => {
    await using folder = tempFolder();
    await using server = startRaw(bin([makeDatabase(folder.at("a.db"), "CREATE TABLE t (a)")]));
    await server.send(discover);
    expect(JSON.parse(await server.line())).toMatchObject({ result: { tools: expect.any(Array) } });
    await waitUntil(
      () => childProcesses(server.pid).length,
      (count) => count === 1,
      30_000,
    );
  });

  test("starts none when the database does not exist yet", async () => {
    await using folder = tempFolder();
    const db = `--db-path=${folder.at("none.db")}`;
    const file = makeDatabase(folder.at("a.db"), "CREATE TABLE t (a)");
    await using server = startRaw(bin([db]));
    // Started later, so that its reader runs only after the other server would have started one.
    await using other = startRaw(bin([file]));
    await server.handshake();
    await other.handshake();
    await waitUntil(
      () => childProcesses(other.pid).length,
      (count) => count === 1,
      30_000,
    );
    expect(childProcesses(server.pid)).toEqual([]);
    expect(existsSync(folder.at("none.db"))).toBe(false);
  });
});
