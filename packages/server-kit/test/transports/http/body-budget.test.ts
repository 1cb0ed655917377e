// The bodies that arrive at the same time are bounded together, in bytes.
import { describe, expect, test } from "vitest";
import { toFetch } from "../../../src/fetch.ts";
import { gaugeServer, startGauge } from "../../support/gauge.ts";
import { BOTH, json, openSession, overFaces, post, problem, servesOn } from "../../support/http-faces.ts";
import { RawHttp } from "../../support/raw-http.ts";
import { call, eventually, words } from "../../support/sample.ts";

const HALF = 200_000;
const LIMITS = { http: { allBodyBytes: 300_000 } };

const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: ${BOTH}\r\nContent-Type: application/json\r\nContent-Length: ${2 * HALF}\r\n\r\n`;

describe("HTTP-22 over sockets", () => {
  test("refuses bodies beyond the bound with 503, serves short ones, and accepts long ones again", async () => {
    await using gauge = await startGauge(undefined, LIMITS);
    using arriving = await RawHttp.open(gauge.port);
    arriving.write(head + " ".repeat(HALF));
    await eventually(async () => {
      using late = await RawHttp.open(gauge.port);
      late.write(head + " ".repeat(HALF));
      await late.ends().catch(() => undefined);
      return late.came;
    }).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n.*\r\nConnection: close\r\n.*"code":-32600/s);
    expect(arriving.came).toBe("");
    await servesOn(gauge);
    arriving.socket.destroy();
    const message = "x".repeat(HALF);
    const session = await openSession(gauge);
    await eventually(async () => json(await gauge.send(post(call(1, "echo", { message }), session)))).toEqual(words(1, message));
  });
});

overFaces("HTTP-22 a body", (face) => {
  test("returns the bytes of served and refused bodies", async () => {
    await using gauge = await startGauge(face, LIMITS);
    const session = await openSession(gauge);
    const message = "x".repeat(HALF);
    for (let time = 0; time < 5; time++) {
      expect(json(await gauge.send(post(call(1, "echo", { message }), session)))).toEqual(words(1, message));
      expect((await gauge.send(post("{".repeat(HALF), session))).status).toBe(400);
    }
  });

  test("serves a body of up to 16 KiB when the bytes are used up", async () => {
    await using gauge = await startGauge(face, { http: { allBodyBytes: 0 } });
    const session = await openSession(gauge);
    const message = "x".repeat(15_000);
    expect(json(await gauge.send(post(call(1, "echo", { message }), session)))).toEqual(words(1, message));
    expect((await gauge.send(post(call(1, "echo", { message: message + message }), session))).status).toBe(503);
    await servesOn(gauge);
  });
});

describe("HTTP-22 over web", () => {
  const streamed = (body: ReadableStream<Uint8Array>): Request => {
    const headers = { accept: BOTH, "content-type": "application/json" };
    return new Request("http://localhost:3920/mcp", { method: "POST", body, duplex: "half", headers } as RequestInit);
  };
  const spaces = new Uint8Array(HALF).fill(32);

  test("refuses bodies beyond the bound with 503, and accepts them once others have ended", async () => {
    const handle = toFetch(gaugeServer(), LIMITS);
    let end = (): void => undefined;
    const arriving = handle(streamed(new ReadableStream({ start: (to) => (to.enqueue(spaces), void (end = () => to.close())) })));
    await new Promise((resolve) => setImmediate(resolve));
    const refused = await handle(streamed(new Blob([spaces]).stream()));
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([503, "1", problem()]);
    end();
    expect((await arriving).status).toBe(400); // not JSON
    expect((await handle(streamed(new Blob([spaces]).stream()))).status).toBe(400);
    await handle.close();
  });
});
