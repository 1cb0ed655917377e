// Opening a backplane: addresses and servers that never work.
import { createServer, type AddressInfo, type Server } from "node:net";
import { describe, expect, test } from "vitest";
import { valkeyBackplane } from "../src/index.ts";
import { refusal } from "./support/refusal.ts";

/** A server that answers with the same text. `most`: after so many answers it is silent. */
async function startServer(text: string, most = Infinity): Promise<Server & { readonly port: number }> {
  let answers = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => void (answers++ < most && socket.write(text)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return Object.assign(server, { port });
}

describe("an address that never works", () => {
  test.each([
    ["mysql://secret@127.0.0.1", "The address of the engine must look like valkey://host:6379, redis://host:6379 or rediss://host:6379."],
    ["secret", "The address of the engine must look like valkey://host:6379, redis://host:6379 or rediss://host:6379."],
    ["valkey://:secret@127.0.0.1/a", "The path of the engine's address must be the number of a database, such as valkey://host:6379/1."],
    ["valkey://127.0.0.1?answer_ms=5s", "answer_ms in the engine's address must be a number of milliseconds, from 100 to 60000."],
    ["valkey://:secret@no.such.host.invalid", "The host of the engine, no.such.host.invalid:6379, does not exist."],
  ])("is rejected: %s", async (url, message) => {
    expect(await refusal(url)).toBe(message);
  });

  test("rejects a server that is neither Valkey nor Redis", async () => {
    await using server = await startServer("HTTP/1.1 400 Bad Request\r\n\r\n");
    expect(await refusal(`valkey://127.0.0.1:${server.port}`)).toBe(`The server at 127.0.0.1:${server.port} is neither Valkey nor Redis.`);
  });

  test("rejects an engine that is too old", async () => {
    await using server = await startServer("-ERR unknown command `HELLO`, with args beginning with: \r\n");
    const tooOld = `The engine at 127.0.0.1:${server.port} is too old: Valkey, or Redis 7.0 or later, is needed.`;
    expect(await refusal(`valkey://127.0.0.1:${server.port}`)).toBe(tooOld);
  });
});

test("waits for an answer as long as answer_ms in the address says", async () => {
  const hello = "*4\r\n$7\r\nversion\r\n$5\r\n8.0.0\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n";
  await using silent = await startServer(hello, 2);
  const open = (ms: number) => valkeyBackplane(`valkey://127.0.0.1:${silent.port}?answer_ms=${ms}`);
  const [patient, hasty] = [await open(60_000), await open(100)];
  let isAnswered = false;
  const waiting = patient.get("k").catch(() => (isAnswered = true));
  await expect(hasty.get("k")).rejects.toThrow(/timed out|does not answer|did not answer/);
  expect(isAnswered).toBe(false);
  await Promise.all([patient.close(), hasty.close(), waiting]);
});
