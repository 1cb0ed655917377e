// The parts of authorization: network policy, challenges, scopes and the file of credentials.
import { chmodSync, readdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { needs } from "../../../testing/src/checks/needs.ts";
import { fileStore } from "@oarlock/client/oauth";
import { parseChallenges, tokenChallenge } from "../../src/oauth/challenge.ts";
import { guardedFetch } from "../../src/oauth/guarded-fetch.ts";
import { NetworkPolicy, networkOf } from "../../src/oauth/network-policy.ts";
import { selectScopes } from "../../src/oauth/scopes.ts";
import { startHttp } from "../support/authorization-servers.ts";

const folder = mkdtempSync(join(tmpdir(), "oarlock-oauth-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("network policy", () => {
  test.each([
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["10.1.2.3", "private"],
    ["172.31.0.1", "private"],
    ["::ffff:192.168.1.1", "private"],
    ["fd00::1", "private"],
    ["64:ff9b::a00:1", "private"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::169.254.169.254", "forbidden"],
    ["64:ff9b::1", "forbidden"],
    ["64:ff9b::5db8:d822", "public"],
    ["64:ff9b:1::5db8:d822", "private"],
    ["169.254.169.254", "forbidden"],
    ["::ffff:169.254.169.254", "forbidden"],
    ["0.0.0.0", "forbidden"],
    ["fe80::1", "forbidden"],
    ["93.184.216.34", "public"],
    ["2606:4700::1111", "public"],
  ])("rates %s as %s", (address, network) => expect(networkOf(address)).toBe(network));

  test.each([
    "https://127.0.0.1/",
    "https://localhost/",
    "https://10.0.0.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://2130706433/",
    "http://93.184.216.34/",
  ])("keeps a public server from %s", async (url) => {
    const policy = await NetworkPolicy.of(new URL("https://93.184.216.34/mcp"));
    expect(() => policy.checkUrl(new URL(url), "URL")).toThrow(/^(Refused|Invalid) URL/);
  });

  test("lets a private server name its own network, but not loopback", async () => {
    const policy = await NetworkPolicy.of(new URL("https://10.0.0.5/mcp"));
    expect(() => policy.checkUrl(new URL("https://10.0.0.6/"), "URL")).not.toThrow();
    expect(() => policy.checkUrl(new URL("https://127.0.0.1/"), "URL")).toThrow(/^Refused/);
  });

  test("contacts nothing inside the network for a public server", async () => {
    await using inside = await startHttp((_request, response) => void response.end("{}"));
    const policy = await NetworkPolicy.of(new URL("https://93.184.216.34/mcp"));
    await expect(guardedFetch(policy)(inside.origin)).rejects.toThrow(/expected an https URL/);
    await expect(guardedFetch(policy)(inside.origin.replace("http:", "https:"))).rejects.toThrow(/^Refused/);
    expect(inside.requests).toEqual([]);
  });

  test("contacts nothing inside the network by a name that leads there (rebinding)", async () => {
    await using inside = await startHttp((_request, response) => void response.end("{}"));
    const policy = await NetworkPolicy.of(new URL("https://93.184.216.34/mcp"));
    // The check of the URL cannot tell the name of this machine from any other; the address of the connection can.
    const url = inside.origin.replace("http:", "https:").replace("127.0.0.1", hostname());
    expect(() => policy.checkUrl(new URL(url), "URL")).not.toThrow();
    await expect(guardedFetch(policy)(url)).rejects.toThrow(/^Refused URL .* its address is in a network/);
    expect(inside.requests).toEqual([]);
  });
});

describe("challenges", () => {
  test("are read with quoted strings and several schemes", () => {
    expect(parseChallenges('Basic realm="a, b", Bearer scope="x y", error="insufficient_scope", note="say \\"hi\\""')).toEqual([
      { scheme: "basic", parameters: { realm: "a, b" } },
      { scheme: "bearer", parameters: { scope: "x y", error: "insufficient_scope", note: 'say "hi"' } },
    ]);
  });

  test("of the scheme Bearer are found after others", () => {
    expect(tokenChallenge('Negotiate, Bearer resource_metadata="https://a.example/m"')?.parameters.resource_metadata).toBe(
      "https://a.example/m",
    );
  });

  test.each([
    "",
    ",",
    "=",
    'Bearer scope="',
    "Bearer ".repeat(5000),
    " ".repeat(8000),
    `${", ".repeat(4000)}=`,
    `Bearer a="${"\\".repeat(4000)}`,
  ])("may be malformed", (header) => {
    expect(() => parseChallenges(header)).not.toThrow();
  });
});

describe("scopes", () => {
  const none = {
    challenged: undefined,
    supportedByResource: undefined,
    supportedByServer: undefined,
    earlier: [],
    usesRefreshTokens: true,
  };
  test.each([
    ["none without sources", {}, []],
    ["those of the challenge first", { challenged: "a", supportedByResource: ["b"] }, ["a"]],
    ["those of the resource else", { supportedByResource: ["b", "c"] }, ["b", "c"]],
    ["earlier ones as well", { challenged: "b", earlier: ["a"] }, ["a", "b"]],
    ["those of challenge and resource for a login", { challenged: "a", supportedByResource: ["a", "b"], isLogin: true }, ["a", "b"]],
    ["only those of a limited login", { challenged: "a", supportedByResource: ["b"], earlier: ["c"], only: ["d"], isLogin: true }, ["d"]],
    [
      "those of the challenge only without refresh tokens",
      { challenged: "a", supportedByServer: ["offline_access"], usesRefreshTokens: false },
      ["a"],
    ],
    ["offline access where it is supported", { challenged: "a", supportedByServer: ["offline_access"] }, ["a", "offline_access"]],
  ])("are %s", (_name, sources, scopes) => expect(selectScopes({ ...none, ...sources })).toEqual(scopes));
});

describe("file store", () => {
  const tokens = { issuer: "https://as.example", resource: "https://a.example/mcp", accessToken: "t", tokenType: "bearer", scopes: [] };

  test("keeps every entry of concurrent changes, with mode 0600", async () => {
    const path = join(folder, "new", "credentials.json");
    const store = fileStore(path);
    await Promise.all(["a", "b", "c"].map(async (server) => store.saveTokens(server, tokens)));
    expect(await Promise.all(["a", "b", "c", "d"].map(async (server) => fileStore(path).tokens(server)))).toEqual([
      tokens,
      tokens,
      tokens,
      undefined,
    ]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("leaves the old file after a failed write, and none with the new credentials", async () => {
    const path = join(folder, "kept", "credentials.json");
    const store = fileStore(path);
    await store.saveTokens("a", tokens);
    const unwritable = { ...tokens, expiresAt: 1n as unknown as number };
    await expect(store.saveTokens("b", unwritable)).rejects.toThrow("BigInt");
    expect(readdirSync(dirname(path))).toEqual(["credentials.json"]);
    await store.saveTokens("c", tokens);
    expect(await Promise.all(["a", "b", "c"].map(async (server) => store.tokens(server)))).toEqual([tokens, undefined, tokens]);
  });

  test("refuses a file that other users can read", needs("file modes"), async () => {
    const path = join(folder, "open.json");
    await fileStore(path).saveTokens("a", tokens);
    chmodSync(path, 0o644);
    await expect(fileStore(path).tokens("a")).rejects.toThrow(/expected mode 600/);
  });
});
