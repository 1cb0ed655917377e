// What a body of one-byte chunks holds of memory while it is read (security case HTTP-22).
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { startGauge } from "../../../support/gauge.ts";
import { BOTH, servesOn } from "../../../support/http-faces.ts";
import { RawHttp } from "../../../support/raw-http.ts";
import { retained } from "../../../support/retained.ts";

const MiB = 1024 * 1024;
const CHUNKS = 600_000;

test("case HTTP-22 stores a body of one-byte chunks in about its own size", async () => {
  await using gauge = await startGauge();
  let incoming: Socket | undefined;
  subscribe("http.server.request.start", (message) => void (incoming = (message as { socket: Socket }).socket));
  using raw = await RawHttp.open(gauge.port);
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ${BOTH}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const part = Buffer.from("1\r\n \r\n".repeat(CHUNKS / 12));
  const before = await retained();
  raw.write(head);
  for (let sent = 0; sent < 12; sent++) await new Promise((resolve) => raw.socket.write(part, resolve));
  await expect.poll(() => incoming?.bytesRead).toBe(head.length + 12 * part.length);
  const during = await retained();
  expect(during.heap - before.heap).toBeLessThan(5 * MiB);
  raw.write("2\r\n{}\r\n0\r\n\r\n");
  expect(await raw.answers(1)).toEqual([400]);
  await servesOn(gauge);
});
