/**
 * The built servers as nodes on a real engine: a session goes on elsewhere when the node that opened it is killed. The long tier adds the other
 * servers on PostgreSQL: all four open the engine by the same switches of the kit's command line.
 */
import type { Engine } from "@oarlock-tooling/engines";
import { describePostgres, describeValkey } from "@oarlock-tooling/engines/describe";
import { builtServer, root } from "@oarlock-tooling/test-support/built-file";
import { nodeProgram, startOverHttp, type ListeningServer } from "@oarlock-tooling/test-support/server-process";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEngine, type EngineName } from "../src/cluster/start-engine.ts";

const REVISION = "2025-11-25";

const SERVERS: Record<string, (folder: string) => string[]> = {
  filesystem: (folder) => [folder],
  git: () => [root],
  memory: (folder) => ["--db", `${folder}/memory.db`],
  sqlite: (folder) => ["--db-path", `${folder}/data.db`],
};

function post({ url }: ListeningServer, message: object, session?: string): Promise<Response> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const ofSession = session === undefined ? {} : { "mcp-session-id": session, "mcp-protocol-version": REVISION };
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return fetch(url, { method: "POST", headers: { ...headers, ...ofSession }, body });
}

async function expectSessionSurvives(server: string, engine: string): Promise<void> {
  await using folder = tempFolder();
  const switches = ["--backplane", engine, "--backplane-prefix", server];
  const args = builtServer(server, ...(SERVERS[server]?.(folder.at("")) ?? []), ...switches);
  const env = { HOME: folder.at(""), OARLOCK_STATE_KEY: "a key of more than sixteen characters" };
  await using first = await startOverHttp(nodeProgram(args, env));
  await using second = await startOverHttp(nodeProgram(args, env));
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const opened = await post(first, { id: 1, method: "initialize", params });
  const session = opened.headers.get("mcp-session-id") ?? "";
  expect((await post(second, { method: "notifications/initialized" }, session)).status).toBe(202);
  await first.kill();
  const listed = await post(second, { id: 2, method: "tools/list" }, session);
  expect(listed.status).toBe(200);
  expect(await listed.json()).toMatchObject({
    id: 2,
    result: { tools: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]) },
  });
  expect(await second.terminate()).toMatchObject({ code: 0, signal: null });
}

const testServers = (name: EngineName, servers: readonly string[]) => (): void => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(name);
  });
  afterAll(() => engine[Symbol.asyncDispose]());

  test.each(servers)("continues a session of %s when its node is killed", async (server) => expectSessionSurvives(server, engine.url));
};

(await describeValkey({ own: true }))("on Valkey", testServers("valkey", Object.keys(SERVERS)));

(await describePostgres({ own: true }))(
  "on PostgreSQL",
  testServers("postgres", process.env["OARLOCK_LONG"] === "1" ? Object.keys(SERVERS) : ["sqlite"]),
);
