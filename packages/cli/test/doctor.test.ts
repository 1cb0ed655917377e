/** Tests doctor on set-ups that are broken in one place each: it names the cause and the remedy, and changes nothing. */
import { chmodSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { doctorSetUp } from "./support/doctor-set-up.ts";
import { run } from "./support/sample-in-memory.ts";

const { homeWith, failures } = doctorSetUp(run);

describe("doctor", () => {
  test("finds nothing wrong with a plain set-up, and prints the same for people", async () => {
    expect(await failures([])).toEqual([]);
    const HOME = homeWith();
    const { code, stdout } = await run(["doctor"], { env: { HOME }, cwd: HOME });
    expect({ code, last: stdout.trimEnd().split("\n").at(-1) }).toEqual({
      code: 0,
      last: "Nothing is wrong with sample. No file of a host names it.",
    });
  });

  test("prints the remedy of a failed check for people too", async () => {
    const { code, stdout } = await run(["doctor", "--denny=x"], { env: { HOME: homeWith() } });
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED switches: Unknown switch "--denny".\n       Remedy: Write --deny.\n');
  });

  test("names a variable with a wrong value", async () => {
    const [check] = await failures([], homeWith(), { OARLOCK_MAX_BYTES: "many" });
    expect(check).toMatchObject({ name: "switches", message: expect.stringContaining("OARLOCK_MAX_BYTES") });
  });

  test("names the process that holds a port", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number }; // of a TCP server
    const [check] = await failures(["--http", "--port", String(port)]);
    const owner = process.platform === "linux" ? `(process ${process.pid})` : "another program";
    expect(check).toMatchObject({ name: "port", message: expect.stringContaining(`Port ${port} is already in use by`) });
    expect(check?.message).toContain(owner);
    server.close();
  });

  test("names a token file that is open to others, empty, short or missing, and shows no token", async () => {
    const token = "a-rather-long-secret-token-0123456789";
    const home = homeWith({ open: token, empty: "", short: "abc" });
    chmodSync(join(home, "open"), 0o644);
    for (const name of ["empty", "short"]) chmodSync(join(home, name), 0o600);
    const expected = { open: "Other users", empty: "holds no token", short: "too short", missing: "does not exist" };
    for (const [name, message] of Object.entries(expected)) {
      if (name === "open" && process.platform === "win32") continue;
      const checks = await failures(["--auth-token-file", join(home, name)], home);
      expect(checks).toMatchObject([{ name: "auth-token-file", message: expect.stringContaining(message) }]);
      expect(JSON.stringify(checks)).not.toContain(token);
    }
  });

  test("names a short state key and an unreachable backplane, without its password", async () => {
    const checks = await failures(["--http", "--port", "0", "--state-key", "short", "--backplane", "redis://me:hidden-word@127.0.0.1:1"]);
    expect(checks).toMatchObject([
      { name: "state-key", remedy: expect.stringContaining("openssl rand") },
      { name: "backplane", message: expect.stringContaining("127.0.0.1:1 cannot be reached") },
    ]);
    expect(JSON.stringify(checks)).not.toContain("hidden-word");
  });

  test("names an audit file in a missing folder and a taken port of operations", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number }; // of a TCP server
    const home = homeWith();
    const args = ["--http", "--port", "0", "--audit", join(home, "logs", "audit.jsonl"), "--ops-port", String(port)];
    expect(await failures(args, home)).toMatchObject([
      { name: "audit", message: expect.stringContaining('logs" is missing') },
      { name: "ops-port", message: expect.stringContaining(`Port ${port} is already in use by`) },
    ]);
    server.close();
    await once(server, "close");
    expect(await failures(["--http", `--port=${port}`, `--ops-port=${port}`], home)).toMatchObject([
      { name: "http", message: `--port and --ops-port are both ${port}.` },
    ]);
    expect(await failures(["--audit", join(home, "audit.jsonl")], home)).toEqual([]);
  });

  test("names an address that everyone can use", async () => {
    expect(await failures(["--http", "--host", "0.0.0.0", "--port", "0"])).toMatchObject([
      { name: "http", message: expect.stringContaining("without authentication") },
    ]);
  });

  const backplane = ["--backplane", "postgres:///db?host=127.0.0.1&port=PORT"];
  test.each<[args: string[], message: string]>([
    [backplane, "--backplane needs --state-key"],
    [["--backplane-prefix", "a"], "--backplane-prefix needs --backplane"],
    [["--legacy-sse", ...backplane, "--state-key=a key of many characters"], "--legacy-sse cannot be combined with --backplane"],
    [["--oauth-issuer", "http://a.example", "--oauth-audience", "https://b.example"], "Invalid value for --oauth-issuer"],
    [["--allowed-hosts", "https://a.example"], 'Invalid host "https://a.example"'],
    [["--auth-token-file", "HOME/long"], "invalid access token"],
  ])("refuses switches of HTTP that the start refuses: %j", async (args, message) => {
    const engine = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(engine, "listening");
    const { port } = engine.address() as { port: number }; // of a TCP server
    const home = homeWith({ long: "x".repeat(5000) });
    chmodSync(join(home, "long"), 0o600);
    const given = args.map((arg) => arg.replace("PORT", String(port)).replace("HOME", home));
    const checks = await failures(["--http", "--port=0", ...given], home);
    expect(checks).toMatchObject([{ name: "http", message: expect.stringContaining(message) }]);
    engine.close();
  });
});
