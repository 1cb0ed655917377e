import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { kindOf } from "@oarlock/server-kit/protocol";
import { ConnectionClosedError, NegotiationError, spawnServer, RequestTimeoutError, type Command } from "@oarlock/client";
import { failure } from "../../support/scripted-peer.ts";
import { connect } from "../../support/connect-session.ts";

const scratch = mkdtempSync(join(tmpdir(), "oarlock-client-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const run = (file: URL, ...args: string[]): Command => ({
  command: process.execPath,
  args: ["--conditions=oarlock-source", fileURLToPath(file), ...args],
});
const SAMPLE = run(new URL("../../fixtures/sample-stdio.ts", import.meta.url));
const peer = (mode: string, file = ""): Command => run(new URL("../../fixtures/peer.ts", import.meta.url), mode, file);

describe("a server as a process", () => {
  test("STDIO-08 JSON-02 STDIO-02: is started, gets requests, and ends with code 0", async () => {
    const server = spawnServer(SAMPLE);
    const client = await connect(server);
    const message = "ä\n\r\n\u2028🙂\\n";
    expect(await client.call("echo", { message })).toEqual({ content: [{ type: "text", text: message }] });
    expect(await client.call("echo", { message: "x".repeat(1_000_000) })).toEqual({
      content: [{ type: "text", text: "x".repeat(1_000_000) }],
    });
    await client.close();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("is started from a command and ended with the block", async () => {
    const notes: string[] = [];
    let closed: Promise<Error>;
    {
      await using client = await connect(SAMPLE, { onStderr: (text) => notes.push(text) });
      closed = client.closed;
      await client.call("print");
    }
    expect(await closed).toEqual(new ConnectionClosedError("The client closed the connection"));
    expect(notes.join("")).toBe("a stray print\n");
  });

  test("STDIO-04 JSON-19: gets one valid message per line", async () => {
    const file = join(scratch, "lines");
    const client = await connect(peer("plain", file), { roots: [] });
    const abort = new AbortController();
    const failed = failure(client.call("a\nb", { text: "line\nbreak\u2028" }, { signal: abort.signal }));
    abort.abort(new Error("why\nnot"));
    expect(await failed).toBeInstanceOf(Error);
    client.setRoots([{ uri: "file:///new%0Aline" }]);
    await client.ping();
    await client.close();
    const lines = readFileSync(file, "utf8").split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => kindOf(JSON.parse(line)))).toEqual([
      "request",
      "notification",
      "request",
      "notification",
      "notification",
      "request",
    ]);
  });

  test("gets the merged environment and the given folder", async () => {
    process.env.OARLOCK_TEST_TAKEN = "here";
    const print = "process.stderr.write([process.cwd(), process.env.A, process.env.OARLOCK_TEST_TAKEN, typeof process.env.PATH].join('|'))";
    const server = spawnServer({
      command: process.execPath,
      args: ["-e", print],
      cwd: scratch,
      env: { A: "1", OARLOCK_TEST_TAKEN: undefined },
    });
    await server.exited;
    delete process.env.OARLOCK_TEST_TAKEN;
    expect(server.stderr.split("|").slice(1)).toEqual(["1", "", "string"]);
    expect(server.stderr.split("|")[0]).toContain("oarlock-client-");
  });

  test("STDIO-06 STDIO-07: writes stderr without failing the client, which keeps its end", async () => {
    const server = spawnServer(peer("noisy"));
    await using client = await connect(server);
    for (let round = 0; round < 50; round++) await client.call("x");
    await expect.poll(() => server.stderr.length).toBe(64 * 1024);
    expect(client.serverInfo.name).toBe("noisy");
  });
});

describe("STDIO-09: closing step by step", () => {
  test("sends no signal to a server that exits at the end of its input", async () => {
    const server = spawnServer(peer("plain"));
    const client = await connect(server);
    await client.close();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("sends SIGTERM to one that ignores it", async () => {
    const server = spawnServer(peer("deaf-to-eof"), { graceMs: 50 });
    const client = await connect(server);
    await client.close();
    expect(await server.exited).toEqual({ code: 7, signal: null });
  });

  test("kills one that ignores SIGTERM", async () => {
    const server = spawnServer(peer("stubborn"), { graceMs: 50, termMs: 50 });
    const client = await connect(server);
    await client.close();
    expect(await server.exited).toEqual({ code: null, signal: "SIGKILL" });
  });
});

describe("LIFE-18: faulty servers", () => {
  test("TIME-01 CANCEL-02: time out when they never answer", async () => {
    const file = join(scratch, "never");
    const server = spawnServer(peer("never-answers", file));
    await expect(connect(server, { timeoutMs: 300 })).rejects.toThrow(RequestTimeoutError);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).method),
    ).toEqual(["initialize"]);
  });

  test("LIFE-08: are closed when they send an unknown revision", async () => {
    const server = spawnServer(peer("unknown-version"));
    await expect(connect(server)).rejects.toThrow(
      new NegotiationError("No common protocol revision: the server offers 2099-01-01, which this client does not support"),
    );
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("are reported when they cannot be started", async () => {
    await expect(connect({ command: join(scratch, "no-such-program") })).rejects.toThrow(/^Cannot start .*no-such-program: .*ENOENT/);
  });

  test("are reported with the cause where it is the folder, or arguments in the name", async () => {
    const cwd = join(scratch, "no-such-folder");
    await expect(connect({ command: process.execPath, cwd })).rejects.toThrow(
      `ENOENT. Check that the program and the folder ${cwd} (cwd) exist.`,
    );
    await expect(connect({ command: "node server.js" })).rejects.toThrow("ENOENT. Pass the arguments of the program in args.");
  });

  test("are reported with their stderr when they exit at once", async () => {
    await expect(connect(peer("exits-at-once"))).rejects.toThrow(/exited with code 3; the end of its stderr:\ncannot find the database$/);
  });

  test("are reported when they exit at initialize", async () => {
    await expect(connect(peer("exits-at-initialize"))).rejects.toThrow(/exited with code 4$/);
  });

  test("reject pending requests when they exit in a call", async () => {
    const client = await connect(peer("exits-in-a-call"));
    const waiting = await Promise.allSettled([client.call("x"), client.call("y"), client.call("z")]);
    for (const { status, reason } of waiting as PromiseRejectedResult[]) {
      expect(status).toBe("rejected");
      expect(reason).toBeInstanceOf(ConnectionClosedError);
      expect(reason.message).toMatch(/exited with code 5; the end of its stderr:\nout of luck$/);
    }
    await client.close();
  });

  test("may write garbage on stdout", async () => {
    const faults: string[] = [];
    await using client = await connect(peer("garbage"), { onFault: (what) => faults.push(what) });
    expect(await client.call("x")).toEqual({ content: [] });
    expect(faults).toEqual([
      "Invalid JSON received: Server listening…",
      "Invalid JSON received: {not json",
      "Invalid JSON received: \u0000\u0001",
    ]);
  });

  test("JSON-02: lose a line that is not UTF-8, which is reported", async () => {
    const faults: string[] = [];
    await using client = await connect(peer("bytes"), { onFault: (what) => faults.push(what) });
    expect(await client.call("x")).toEqual({ content: [] });
    expect(faults).toEqual(["Ignored a line of stdout: not-utf-8"]);
  });

  test("CANCEL-05: may answer cancelled requests", async () => {
    const faults: string[] = [];
    await using client = await connect(peer("late"), { onFault: (what) => faults.push(what) });
    const failed = failure(client.call("x", {}, { timeoutMs: 20 }));
    expect(await failed).toBeInstanceOf(RequestTimeoutError);
    await client.ping();
    expect(faults).toEqual(["Unexpected response: no pending request has id 2"]);
  });

  test("PAGE-05: get odd cursors back unchanged", async () => {
    await using client = await connect(peer("odd-cursors"));
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(["t0", "t1", "t2", "t3", "t4"]);
  });
});
