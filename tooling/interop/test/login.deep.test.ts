// A login end to end: the client, a real authorization server, and each of the four servers as its own process. The long tier adds the handshake with
// the three servers that make the same of it as sqlite, and the refresh without sessions.
import { execFileSync } from "node:child_process";
import { connect, type Client } from "@oarlock/client";
import { authorizeUser, memoryStore } from "@oarlock/client/oauth";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { tempFolder } from "@oarlock/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { AuthorizationServer } from "./support/authorization-server.ts";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { clickThroughLogin } from "./support/login-pages.ts";

const ERAS = ["2025-11-25", "2026-07-28"];
const folder = tempFolder({ "a.txt": "text\n" });

interface ServerCase {
  readonly args: readonly string[];
  /** A call that only reads, and one that writes. */
  readonly reads: readonly [name: string, args: Record<string, unknown>];
  readonly writes: readonly [name: string, args: Record<string, unknown>];
}

const SERVERS: Readonly<Record<string, ServerCase>> = {
  filesystem: {
    args: [folder.path],
    reads: ["read_text_file", { path: folder.at("a.txt") }],
    writes: ["create_directory", { path: folder.at("made") }],
  },
  git: {
    args: [folder.path],
    reads: ["git_status", { repo_path: folder.path }],
    writes: ["git_add", { repo_path: folder.path, files: ["a.txt"] }],
  },
  sqlite: {
    args: ["--db-path", folder.at("a.db")],
    reads: ["read_query", { query: "SELECT 1" }],
    writes: ["create_table", { query: "CREATE TABLE IF NOT EXISTS t (a)" }],
  },
  memory: {
    args: ["--db", folder.at("m.db")],
    reads: ["read_graph", {}],
    writes: ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: [] }] }],
  },
};

beforeAll(() => {
  execFileSync("git", ["init", "--quiet", folder.path]);
  return () => folder[Symbol.asyncDispose]();
});

/** A server that takes the tokens of an authorization server, both started. */
async function start(server: string, tokenSeconds?: number): Promise<{ issuer: AuthorizationServer; url: string }> {
  const scopes = ["read", "write"].map((kind) => `${server}:${kind}`);
  const issuer = await AuthorizationServer.start({ scopes, ...(tokenSeconds !== undefined && { tokenSeconds }) });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const args = builtServer(server, ...(SERVERS[server]?.args ?? []), "--oauth-issuer", issuer.issuer, "--oauth-audience", url);
  const listening = await startOverHttp({ command: process.execPath, args, env: { OARLOCK_NO_TRASH: "1" } }, port);
  onTestFinished(async () => {
    await listening[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });
  return { issuer, url };
}

type Options = Parameters<typeof authorizeUser>[0];

async function logIn(url: string, revision: string, options: Options = {}): Promise<Client> {
  const authorize = authorizeUser({ store: memoryStore(), openBrowser: (page: URL) => void clickThroughLogin(page), ...options });
  const client = await connect({ url, authorize }, { revision });
  onTestFinished(() => client.close());
  return client;
}

describe.each(Object.keys(SERVERS))("%s", (server) => {
  const { reads, writes } = SERVERS[server]!;

  const eras = isLong || server === "sqlite" ? ERAS : ERAS.slice(1);
  test.each(eras)("gets the tools by a login, and steps up to write in mid-session (%s)", async (revision) => {
    const { issuer, url } = await start(server);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
    const client = await logIn(url, revision);
    expect((await client.tools().all()).map(({ name }) => name)).toContain(reads[0]);
    expect((await client.call(...reads)).isError).not.toBe(true);
    expect(issuer.grants).toEqual(["authorization_code"]);
    expect((await client.call(...writes)).isError).not.toBe(true);
    expect(issuer.grants).toEqual(["authorization_code", "authorization_code"]);
    expect(issuer.logins.at(-1)).toMatch(new RegExp(`^consent: ${server}:read .*${server}:write`));
  });
});

test.each(isLong ? ERAS : ERAS.slice(0, 1))("refreshes a token that ends in mid-session without a login (%s)", async (revision) => {
  const { issuer, url } = await start("sqlite", 5);
  const client = await logIn(url, revision);
  for (let call = 0; call < 3; call++) expect((await client.call("read_query", { query: "SELECT 1" })).isError).not.toBe(true);
  expect(issuer.grants.filter((grant) => grant === "authorization_code")).toHaveLength(1);
  expect(issuer.grants.filter((grant) => grant === "refresh_token").length).toBeGreaterThanOrEqual(3);
});

test("uses a stored token in the next client without a login", async () => {
  const { issuer, url } = await start("memory");
  const store = memoryStore();
  for (const revision of ERAS) await (await logIn(url, revision, { store })).call("read_graph");
  expect(issuer.grants).toEqual(["authorization_code"]);
});

test("answers one person while another has more long calls than there are processes", async () => {
  const { url } = await start("sqlite");
  const endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
  const [ada, ben] = await Promise.all(
    ["ada", "ben"].map((login) => logIn(url, "2026-07-28", { openBrowser: (page) => void clickThroughLogin(page, { login }) })),
  );
  const stop = new AbortController();
  const long = Array.from({ length: 20 }, () =>
    ada!.call("read_query", { query: endless }, { signal: stop.signal }).catch(() => "stopped"),
  );
  await ada!.prompts().all(); // her calls have been sent before
  expect((await ben!.call("read_query", { query: "SELECT 1" })).isError).not.toBe(true);
  stop.abort();
  expect(new Set(await Promise.all(long))).toEqual(new Set(["stopped"]));
});

test("reports a cancelled login with its code, and allows a later one", async () => {
  const { url } = await start("sqlite");
  const store = memoryStore();
  const cancelled = logIn(url, "2026-07-28", { store, openBrowser: (page) => void clickThroughLogin(page, { cancels: true }) });
  await expect(cancelled).rejects.toMatchObject({ name: "AuthorizationError", code: "access_denied" });
  const client = await logIn(url, "2026-07-28", { store });
  expect((await client.call("read_query", { query: "SELECT 1" })).isError).not.toBe(true);
});
