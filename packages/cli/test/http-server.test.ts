// Tests --http and its switches.
import { createServer, get } from "node:http";
import { chmodSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryBackplane } from "@oarlock/cluster/backplane";
import { afterAll, describe, expect, test, vi } from "vitest";
import { needs } from "../../testing/src/checks/needs.ts";
import { run, Sample, type StartOptions } from "./support/sample-in-memory.ts";

const folder = mkdtempSync(join(tmpdir(), "oarlock-cli-http-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function listening(args: readonly string[], options?: StartOptions): Promise<{ sample: Sample; url: string }> {
  const sample = new Sample(["--http", "--port", "0", ...args], options);
  await sample.until("stderr", /listening on http\S+/);
  return { sample, url: /listening on (http:\/\/[^\s"]+)/.exec(sample.stderr)?.[1] ?? "" };
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } },
};

const post = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify(INITIALIZE),
  });

async function stop({ sample }: { sample: Sample }): Promise<void> {
  expect((await sample.stop()).code).toBe(0);
}

describe("serves", () => {
  test("HTTP-06 SEC-06 on loopback, writes its address at every log level, keeps stdout empty, and exits with 0 when it is stopped", async () => {
    const started = await listening(["--log-level", "error"]);
    expect(started.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect((await post(started.url)).status).toBe(200);
    await stop(started);
    expect(started.sample.stdout).toBe("");
  });

  test("and writes its address as JSON with --log-format json", async () => {
    const started = await listening(["--log-format", "json"]);
    const line = started.sample.stderr.split("\n").find((text) => text.includes("listening"));
    expect(JSON.parse(line ?? "")).toMatchObject({ level: "notice", msg: `listening on ${started.url}` });
    await stop(started);
  });

  test("with environment variables only", async () => {
    const sample = new Sample([], { env: { OARLOCK_HTTP: "1", OARLOCK_PORT: "0", OARLOCK_HOST: "localhost" } });
    await sample.until("stderr", /listening on http:\/\/localhost:\d+\/mcp/);
    await stop({ sample });
  });

  test("on an address in brackets, as in a URL", async () => {
    const sample = new Sample(["--http", "--port=0", "--host=[::1]"]);
    await sample.until("stderr", /listening on http:\/\/\[::1\]:\d+\/mcp/);
    await stop({ sample });
  });

  test("case HTTP-08 beyond loopback with a token or with --dangerously-allow-unauthenticated", async () => {
    const guarded = await listening(["--host", "0.0.0.0"], { env: { OARLOCK_AUTH_TOKEN: "s3cret" } });
    await stop(guarded);
    const open = await listening(["--host", "0.0.0.0", "--dangerously-allow-unauthenticated"]);
    expect(open.sample.stderr).toContain('Warning: Listening on "0.0.0.0" without authentication');
    await stop(open);
  });

  test("with a warning about a token file that others can read", needs("file modes"), async () => {
    const [open, own] = [file("open-token", "s3cret"), file("own-token", "s3cret")];
    chmodSync(open, 0o644);
    chmodSync(own, 0o600);
    const started = await Promise.all([open, own].map((path) => listening(["--auth-token-file", path])));
    const [warned, silent] = started.map(({ sample }) => sample.stderr);
    expect(warned).toMatch(/^Warning: Other users of this machine may access ".*open-token" \(mode 644\)\. Make it private: chmod 600 /m);
    expect(silent).not.toContain("Warning");
    for (const one of started) await stop(one);
  });

  test("case HTTP-34 AUTH-02 with a token from a file or the environment", async () => {
    const started = [
      await listening(["--auth-token-file", file("token", "s3cret\n")]),
      await listening([], { env: { OARLOCK_AUTH_TOKEN: "s3cret" } }),
    ];
    for (const one of started) {
      expect((await post(one.url)).status).toBe(401);
      expect((await post(one.url, { authorization: "Bearer wrong!" })).status).toBe(401);
      expect((await post(one.url, { authorization: "Bearer s3cret" })).status).toBe(200);
      expect(one.sample.stderr).not.toContain("s3cret");
      await stop(one);
    }
  });

  test("for the allowed hosts and origins", async () => {
    const started = await listening(["--allowed-origins", "https://app.example,null", "--allowed-hosts", "mcp.example"]);
    expect((await post(started.url, { origin: "https://app.example" })).status).toBe(200);
    expect((await post(started.url, { origin: "null" })).status).toBe(200);
    expect((await post(started.url, { origin: "https://app.example:444" })).status).toBe(403);
    await stop(started);
  });

  test("the host of its public address", async () => {
    const started = await listening(["--public-url", "https://mcp.example/shop/mcp"]);
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve) =>
        get(started.url, { headers: { host, accept: "text/event-stream" } }, (answer) => resolve(answer.resume().statusCode)),
      );
    expect([await statusFor("mcp.example"), await statusFor("other.example")]).toEqual([400, 403]); // 400: without a session
    await stop(started);
  });

  test("clients behind trusted proxies each with sessions of their own", async () => {
    const started = await listening(["--sessions-per-user=1", "--trusted-proxies", "127.0.0.0/8"]);
    const statuses: number[] = [];
    for (const client of ["192.0.2.1", "192.0.2.2", "192.0.2.2", "2001:db8::1", "2001:db8::2"])
      statuses.push((await post(started.url, { "x-forwarded-for": client })).status);
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
    await stop(started);
  });

  test("on a socket with --socket, which needs no port", needs("file modes"), async () => {
    const socket = join(folder, "socket");
    const started = await listening(["--socket", socket]);
    expect(started.sample.stderr).toContain(`listening on http://localhost/mcp (socket ${socket})`);
    expect(lstatSync(socket).isSocket()).toBe(true);
    await stop(started);
    const missing = await run(["--http", "--socket", join(socket, "none", "s")]);
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain("Choose another one with --socket.");
  });

  test("the endpoints of 2024-11-05 with --legacy-sse only", async () => {
    const started = await listening(["--legacy-sse"]);
    const stream = await fetch(new URL("/sse", started.url), { headers: { accept: "text/event-stream" } });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    await stop(started);
    const without = await listening([]);
    expect((await fetch(new URL("/sse", without.url), { headers: { accept: "text/event-stream" } })).status).toBe(404);
    await stop(without);
  });
});

const KEY = "a key of many characters";
const SCHEMES =
  "Invalid value for --backplane: expected a URL that begins with valkey://, valkeys://, redis://, rediss://, postgres://, postgresql://";

describe("exits with one sentence with the remedy for invalid switches of HTTP", () => {
  const table: [args: string[], sentence: string, env?: Record<string, string>][] = [
    [
      ["--host", "0.0.0.0"],
      'Cannot listen on "0.0.0.0" without authentication: everyone who reaches that address could use this server. Add --auth-token-file',
    ],
    [["--host", "::"], 'Cannot listen on "::" without authentication'],
    [["--host", "192.0.2.1"], 'Cannot listen on "192.0.2.1" without authentication'],
    [["--host", "192.0.2.1"], 'Cannot listen on "192.0.2.1": not an address of this machine. Check --host.', { OARLOCK_AUTH_TOKEN: "x" }],
    [
      ["--host", "192.0.2.1", "--dangerously-allow-unauthenticated"],
      'Cannot listen on "192.0.2.1": not an address of this machine. Check --host.',
    ],
    [
      ["--host", "fe80::1", "--dangerously-allow-unauthenticated"],
      'Cannot listen on "fe80::1": not an address of this machine. Check --host.',
    ],
    [["--host", "[::]"], 'Cannot listen on "::" without authentication'],
    [["--host="], 'Invalid value for --host: expected H, got "". Correct it or leave it out.'],
    [["--port", "65536"], 'Invalid value for --port: expected a port from 0 to 65535, got "65536"'],
    [["--port", "-1"], 'Invalid value for --port: expected a port from 0 to 65535, got "-1"'],
    [["--port", "mcp"], 'Invalid value for --port: expected a port from 0 to 65535, got "mcp"'],
    [["--allowed-hosts", "http://a.example"], 'Invalid host "http://a.example"'],
    [["--allowed-origins", "a.example"], 'Invalid origin "a.example"'],
    [["--allowed-origins", "https://a.example/"], 'Invalid origin "https://a.example/"'],
    [["--auth-token-file", join(folder, "none")], "Token file "],
    [["--auth-token-file", folder], "Token file "],
    [["--auth-token-file", file("empty", " \n")], "Token file "],
    [
      ["--auth-token-file", file("two", "a b")],
      `Token file "${join(folder, "two")}" has an invalid access token. Expected 1 to 4,096 visible`,
    ],
    [[], "OARLOCK_AUTH_TOKEN is empty", { OARLOCK_AUTH_TOKEN: "" }],
    [["--oauth-issuer", "https://a.example"], "--oauth-issuer needs --oauth-audience"],
    [["--oauth-audience", "https://a.example"], "--oauth-audience needs --oauth-issuer"],
    [["--public-url", "mcp.example/mcp"], "Invalid value for --public-url: expected the address of the endpoint"],
    [
      ["--public-url", "https://mcp.example/notes/"],
      'Invalid value for --public-url: "https://mcp.example/notes/" is a folder. Clients call exactly this address: add the path of the endpoint, as in https://mcp.example/notes/mcp.',
    ],
    [["--public-url", "https://ada@mcp.example/mcp"], "Invalid value for --public-url"],
    [["--trusted-proxies", "proxy.example"], "Invalid value for --trusted-proxies: expected addresses or networks such as"],
    [
      ["--oauth-issuer", "http://a.example", "--oauth-audience", "https://b.example"],
      "Invalid value for --oauth-issuer or --oauth-audience: ",
    ],
    [
      ["--oauth-issuer", "https://a.example", "--oauth-audience", "https://b.example"],
      "A fixed token cannot be combined with --oauth-issuer",
      { OARLOCK_AUTH_TOKEN: "x" },
    ],
    [
      ["--backplane", "redis://127.0.0.1"],
      "--backplane needs --state-key, the same one on every node: each node opens what the others have sealed. Make one with: openssl rand -hex 32",
    ],
    [["--backplane", "mysql://u:hidden@h"], `${SCHEMES}, got "mysql://".`, { OARLOCK_STATE_KEY: KEY }],
    [["--backplane", "hidden"], `${SCHEMES}, got a text that is not a URL.`, { OARLOCK_STATE_KEY: KEY }],
    [[], `${SCHEMES}, got "http://".`, { OARLOCK_STATE_KEY: KEY, OARLOCK_BACKPLANE: "http://127.0.0.1" }],
    [["--backplane", "redis://127.0.0.1", "--state-key", "short"], "A state key is too short"],
    [["--legacy-sse", "--backplane", "redis://127.0.0.1", "--state-key", KEY], "--legacy-sse cannot be combined with --backplane"],
    [["--backplane-prefix", "a"], "--backplane-prefix needs --backplane."],
  ];

  test.each(table)("%j: %s", async (args, sentence, env = {}) => {
    const { code, stdout, stderr } = await run(["--http", ...args], { env });
    const lines = stderr.split("\n").filter((line) => !["", "printed while starting", "closing"].includes(line));
    expect({ code, stdout, lines: lines.length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(lines[0]).toContain(`Error: ${sentence}`);
    expect(lines[0]).not.toContain("hidden");
  });

  test("exits with 3 for a port in use", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo; // it listens
    const { code, stderr } = await run(["--http", "--port", String(port)]);
    expect(code).toBe(3);
    expect(stderr).toContain(`Error: Port ${port} is already in use. Choose another one with --port`);
    taken.close();
  });
});

test("logs a warning for a switch of HTTP without --http", async () => {
  const { code, stderr } = await run(["--legacy-sse"]);
  expect(code).toBe(0);
  expect(stderr).toContain("Warning: --legacy-sse has no effect without --http.");
});

/** Runs with a backplane of this process: the package of an engine is not installed beside this one, as for most users. */
async function withBackplane(act: (switches: readonly string[]) => Promise<void>): Promise<number> {
  const backplane = new MemoryBackplane();
  const close = vi.spyOn(backplane, "close");
  vi.doMock("@oarlock/backplane-valkey", () => ({ valkeyBackplane: () => Promise.resolve(backplane) }));
  try {
    await act(["--http", "--backplane", "valkey://127.0.0.1", "--state-key", KEY]);
    return close.mock.calls.length;
  } finally {
    vi.doUnmock("@oarlock/backplane-valkey");
  }
}

test.each([
  ["its port", ["--port"], []],
  ["the port of operations", ["--ops-port"], ["--port", "0"]],
])("closes the backplane of a failed start when %s is in use", async (_which, taken, others) => {
  const started = await listening([]);
  const closed = await withBackplane(async (switches) => {
    const { code, stderr } = await run([...switches, ...others, ...taken, new URL(started.url).port]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("is already in use") as string });
  });
  expect(closed).toBe(1);
  await stop(started);
});
