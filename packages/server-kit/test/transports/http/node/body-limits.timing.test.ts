// What a body of one-byte chunks costs of memory (security case HTTP-22).
import { expect, test } from "vitest";
import { startGauge } from "../../../support/gauge.ts";
import { BOTH, servesOn } from "../../../support/http-faces.ts";
import { RawHttp } from "../../../support/raw-http.ts";

const MiB = 1024 * 1024;

test("case HTTP-22 a body of one-byte chunks takes no more memory than another", async () => {
  await using gauge = await startGauge();
  using raw = await RawHttp.open(gauge.port);
  raw.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ${BOTH}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const part = Buffer.from("1\r\n \r\n".repeat(50_000));
  const before = process.memoryUsage().rss;
  for (let sent = 0; sent < 12; sent++) await new Promise((resolve) => raw.socket.write(part, resolve));
  raw.write("2\r\n{}\r\n0\r\n\r\n");
  expect(await raw.answers(1)).toEqual([400]);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MiB);
  await servesOn(gauge);
});
