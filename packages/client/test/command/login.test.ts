// The action login of the command.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StoredTokens } from "@oarlock/client/oauth";
import { startAuthorizationServer, startHttp, startResourceServer, type AuthorizationServer } from "../support/authorization-servers.ts";
import { runCommand, type Ended, type OnOutput } from "../support/run-command.ts";

let folder: string;
let file: string;
let issuer: AuthorizationServer;
let protectedServer: Awaited<ReturnType<typeof startResourceServer>>;
let target: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "oarlock-command-login-"));
  file = join(folder, "credentials.json");
  issuer = await startAuthorizationServer();
  protectedServer = await startResourceServer(issuer);
  target = `${protectedServer.origin}/mcp`;
});
afterEach(async () => {
  await protectedServer[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Does something once the command has printed the address of the login page. */
function atLoginPage(act: (address: string, interrupt: () => void) => void): OnOutput {
  let isOpened = false;
  return (text, interrupt) => {
    const [, address] = /^Open this address in a browser to log in:\n(http\S+)\n/m.exec(text) ?? [];
    if (address === undefined || isOpened) return;
    isOpened = true;
    act(address, interrupt);
  };
}

const logIn = (...switches: string[]): Promise<Ended> =>
  runCommand(
    file,
    [target, "login", ...switches],
    atLoginPage((address) => void fetch(address)),
  );

const readCredentials = () => JSON.parse(readFileSync(file, "utf8")) as { tokens: Record<string, StoredTokens> };

test("stores tokens of a login in a file of the user only, and names login in calls without one", async () => {
  const refused = await runCommand(file, [target, "list"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Login needed. Run: npx @oarlock/client ${target} login`) });
  const { code, stderr } = await logIn();
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Logged in\. The tokens are in .*credentials\.json\.\n$/)]);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(stderr).not.toContain(readCredentials().tokens[target]?.accessToken);
});

test("replaces by login a token that has expired and cannot be refreshed", async () => {
  await logIn();
  const credentials = readCredentials();
  const { refreshToken: _, ...tokens } = credentials.tokens[target]!;
  writeFileSync(file, JSON.stringify({ ...credentials, tokens: { [target]: { ...tokens, expiresAt: 1 } } }));
  expect((await logIn()).code).toBe(0);
  expect(issuer.logins).toHaveLength(2);
  expect(readCredentials().tokens[target]?.expiresAt).toBeGreaterThan(Date.now());
});

const requestedScopes = (): (string | null)[] => issuer.logins.map((login) => login.get("scope"));

test("requests all scopes that the server publishes, though its challenge names one for reading", async () => {
  protectedServer.metadata = { scopes_supported: ["notes:read", "notes:write"] };
  protectedServer.scope = "notes:read";
  await logIn();
  await logIn("--scope", "notes:read");
  expect(requestedScopes()).toEqual(["notes:read notes:write", "notes:read"]);
});

test("requests at the next login what a refused call lacked", async () => {
  await logIn();
  protectedServer.scope = "notes:write";
  const refused = await runCommand(file, [target, "list"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Login needed") });
  protectedServer.scope = undefined;
  await logIn();
  expect(requestedScopes()).toEqual([null, "notes:write"]);
  expect(readCredentials().tokens[target]).not.toHaveProperty("demandedScopes");
});

test("exits a login with 130 after Ctrl+C", async () => {
  const interrupted = await runCommand(
    file,
    [target, "login"],
    atLoginPage((_address, interrupt) => interrupt()),
  );
  expect(interrupted.code).toBe(130);
});

test("reports that a server needs no login", async () => {
  await using open = await startHttp((request, response) => void response.writeHead(request.url === "/mcp" ? 200 : 404).end("{}"));
  expect(await runCommand(file, [`${open.origin}/mcp`, "login"])).toEqual({ code: 0, stdout: "", stderr: "This server needs no login.\n" });
});

test("explains what to do at an authorization server without registration", async () => {
  issuer.metadata = { registration_endpoint: undefined };
  const { code, stderr } = await runCommand(file, [target, "login"]);
  expect([code, stderr]).toEqual([
    1,
    `Error: The authorization server ${issuer.origin} does not register clients by itself. Log in from code with the option client of authorizeUser, or pass a token with --token-file FILE.\n`,
  ]);
});
