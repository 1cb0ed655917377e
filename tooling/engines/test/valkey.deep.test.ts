// Valkey for tests: it starts, stands still while it is paused, and forms a cluster.
import { expect, test } from "vitest";
import { describeValkey } from "../src/describe-engine.ts";
import { startValkey, startValkeyCluster } from "../src/index.ts";
import { sendValkey } from "../src/valkey.ts";

const portOf = (url: string): number => Number(new URL(url).port);

const describeEngine = await describeValkey({ own: true });

describeEngine("Valkey", () => {
  test("keeps what was stored if it is persistent", async () => {
    await using engine = await startValkey({ own: true, isPersistent: true });
    const port = portOf(engine.url);
    await sendValkey(port, "SET kept 1");
    await engine.kill();
    await expect(sendValkey(port, "GET kept")).rejects.toThrow("ECONNREFUSED");
    await engine.restart();
    expect(await sendValkey(port, "GET kept")).toBe("$1\r\n1\r\n");
  });

  test("answers nothing while it is paused", async () => {
    await using engine = await startValkey({ own: true });
    await engine.pause();
    await expect(sendValkey(portOf(engine.url), "PING")).rejects.toThrow("no reply");
    await engine.resume();
    expect(await sendValkey(portOf(engine.url), "PING")).toBe("+PONG\r\n");
  });

  test("refuses commands without its password", async () => {
    await using engine = await startValkey({ own: true, password: "correct" });
    expect(await sendValkey(portOf(engine.url), "GET a")).toMatch(/^-NOAUTH/);
  });

  test("shares the keys among the nodes of a cluster", async () => {
    await using cluster = await startValkeyCluster(3);
    const replies = await Promise.all(cluster.nodes.map(({ url }) => sendValkey(portOf(url), "SET a 1")));
    expect(replies.map((reply) => reply.slice(0, 6)).toSorted()).toEqual(["+OK\r\n", "-MOVED", "-MOVED"]);
  });
});
