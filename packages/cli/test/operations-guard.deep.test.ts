// Half-sent requests to the port of operations end in time, and make room for others.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { requestGuard } from "@oarlock/server-kit/node";
import { startOperations } from "../src/operations/operations-server.ts";
import { page } from "./support/operations.ts";

test("ends a half-sent header within seconds, and counts it against the connection limit", { timeout: 20_000 }, async () => {
  const operations = await startOperations({ host: "127.0.0.1", port: 0, guard: requestGuard({ host: "127.0.0.1" }) });
  const port = Number(new URL(operations.url).port);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.resume().write("GET /livez HTTP/1.1\r\nHost: local");
    return socket;
  };
  const start = performance.now();
  const half = await Promise.all(Array.from({ length: 100 }, open));
  await expect(page(`${operations.url}/livez`)).rejects.toThrow("fetch failed");
  await Promise.all(half.map((socket) => once(socket, "close")));
  expect(performance.now() - start).toBeLessThan(8000);
  expect(await page(`${operations.url}/livez`)).toBe("200 ok");
  operations.close();
});
