import { expect, test } from "vitest";
import { needs, nodeCommand, startRaw } from "@oarlock/testing";

const SAMPLE = nodeCommand(new URL("../fixtures/sample-stdio.ts", import.meta.url));
const script = (code: string) => ({ command: process.execPath, args: ["-e", code] });

test("writes bytes in pieces, reads lines and messages, and closes", async () => {
  await using server = startRaw(SAMPLE);
  expect(await server.handshake("2025-03-26")).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
  await server.write("{nonsense\n");
  expect(await server.message()).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
  for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"ü","method":"ping"}\n')) await server.write(Uint8Array.of(byte));
  expect(await server.line()).toBe('{"jsonrpc":"2.0","id":"ü","result":{}}');
  await server.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect(await server.request({ jsonrpc: "2.0", id: 2, method: "ping" })).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  expect(server.unread).toEqual([]);
  await server.request({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "print" } });
  server.end();
  expect(await server.exit()).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe("on stderr\n");
});

test("joins a character that is split over two chunks", async () => {
  const code =
    'const b = Buffer.from("ü\\n"); process.stdout.write(b.subarray(0, 1)); process.stdin.once("data", () => process.stdout.write(b.subarray(1)))';
  await using server = startRaw(script(code));
  await server.write("go");
  expect(await server.line()).toBe("ü");
});

test("fails with stderr at a deadline or at the end of stdout", async () => {
  await using server = startRaw(script('process.stderr.write("oh"); process.stdin.resume()'));
  await expect.poll(() => server.stderr).toBe("oh");
  await expect(server.line(20)).rejects.toThrow("No message received: within 20 ms; stderr: oh");
  await expect(server.exit(20)).rejects.toThrow("Process still running after 20 ms; stderr: oh");
  server.end();
  await expect(server.line()).rejects.toThrow("No message received: the process closed its output; stderr: oh");
});

test("returns the exit code or the signal", async () => {
  await using server = startRaw(script("process.exit(7)"));
  expect(await server.exit()).toEqual({ code: 7, signal: null });
  await using other = startRaw(script("setInterval(() => {}, 1000)"));
  other.kill("SIGTERM");
  expect(await other.exit()).toEqual({ code: null, signal: "SIGTERM" });
  await using none = startRaw({ command: "/no/such/program" });
  await expect(none.exit()).rejects.toThrow("ENOENT");
});

test("leaves output unread, and closes it", async () => {
  const code =
    'process.stdout.on("error", ({ code }) => { process.stderr.write(code); process.exit(9) }); setInterval(() => process.stdout.write("x".repeat(1e5) + "\\n"), 1)';
  await using server = startRaw(script(code));
  await server.line();
  server.stopReading();
  server.resumeReading();
  await server.line();
  server.closeOutput();
  expect(await server.exit()).toEqual({ code: 9, signal: null });
  expect(server.stderr).toBe("EPIPE");
});

test("reports the exit with unread output", async () => {
  await using server = startRaw(
    script('process.stdout.write("x\\n".repeat(1e6)); process.once("SIGTERM", () => process.exit(4)); setInterval(() => {}, 1000)'),
  );
  await server.line();
  server.stopReading();
  server.kill("SIGTERM");
  expect(await server.exit()).toEqual({ code: 4, signal: null });
});

test("measures current and peak memory", needs("Linux"), async () => {
  await using server = startRaw(SAMPLE);
  await server.handshake();
  const { now, peak } = server.memory()!;
  expect(now).toBeGreaterThan(10e6);
  expect(peak).toBeGreaterThanOrEqual(now);
});

test("ends the process at the end of the block", async () => {
  let server;
  {
    await using inside = startRaw(script('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'));
    server = inside;
  }
  expect(await server.exited).toEqual({ code: null, signal: "SIGKILL" });
});
