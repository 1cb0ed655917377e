// Half-sent requests to the port of a login end in time, and make room for the browser (L10).
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { loopbackRedirect } from "../../src/oauth/loopback-redirect.ts";

test("ends half-sent requests within seconds, and receives the redirect", { timeout: 20_000 }, async () => {
  const receiver = await loopbackRedirect();
  const port = Number(new URL(receiver.uri).port);
  const received = receiver.receive("s", AbortSignal.timeout(15_000));
  const open = async (): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.resume().write("GET /callback HTTP/1.1\r\nHost: 127");
    return socket;
  };
  const start = performance.now();
  const half = await Promise.all(Array.from({ length: 100 }, open));
  await expect(fetch(receiver.uri)).rejects.toThrow("fetch failed");
  await Promise.all(half.map((socket) => once(socket, "close")));
  expect(performance.now() - start).toBeLessThan(8000);
  expect((await fetch(`${receiver.uri}?state=s&code=c`)).status).toBe(200);
  expect((await received).get("code")).toBe("c");
  receiver.close();
});
