/** A node that is cut off from its engine, while the engine and the other nodes go on. */
import { randomUUID } from "node:crypto";
import type { Engine } from "@oarlock-tooling/engines";
import { describePostgres, describeValkey } from "@oarlock-tooling/engines/describe";
import { TcpProxy, type HeldDirection } from "@oarlock-tooling/test-support/tcp-proxy";
import type { Backplane } from "@oarlock/cluster/backplane";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEngine, type EngineName } from "../src/cluster/start-engine.ts";
import { openBackplane } from "../src/open-backplane.ts";

const TTL = { ttlMs: 60_000 };

function testPartitions(name: EngineName): void {
  let engine: Engine;
  let proxy: TcpProxy;
  let cutOff: Backplane;
  let other: Backplane;

  beforeAll(async () => {
    engine = await startEngine(name);
  });
  afterAll(() => engine.stop());

  beforeEach(async () => {
    proxy = await TcpProxy.start(engine.url);
    cutOff = await openBackplane(proxy.through(engine.url).href, "partition");
    other = await openBackplane(engine.url, "partition");
  });
  afterEach(async () => {
    await Promise.all([cutOff.close(), other.close()]);
    await proxy[Symbol.asyncDispose]();
  });

  test.each<[string, HeldDirection | "cut"]>([
    ["in both directions", "both"],
    ["towards the engine", "to-server"],
    ["towards the node", "to-client"],
    ["with broken connections", "cut"],
  ])("detects that a node is cut off %s, and recovers", async (_title, direction) => {
    const key = randomUUID();
    await cutOff.put(key, "", TTL);
    const messages: string[] = [];
    let missed = 0;
    await cutOff.subscribe(
      key,
      (text) => messages.push(text),
      () => missed++,
    );
    if (direction === "cut") proxy.cut();
    else proxy.hold(direction);

    // Each of these calls takes a second, and the subscriber has noticed it by then.
    for (let attempt = 0; attempt < 4; attempt++) await expect(cutOff.get(key)).rejects.toThrow(/\w/);
    await expect.poll(() => cutOff.isUp).toBe(false);
    await other.append(key, { writer: "other", texts: ["meanwhile"] });
    expect(other.isUp).toBe(true);
    proxy.heal();

    await expect.poll(() => missed).toBeGreaterThan(0);
    await expect.poll(() => cutOff.read(key, 0).catch(() => undefined)).toMatchObject({ entries: [{ text: "meanwhile" }] });
    await other.append(key, { writer: "other", stream: 1, texts: ["afterwards"] });
    await expect.poll(() => messages).toContain("2");
    await expect.poll(() => cutOff.isUp).toBe(true);
  });
}

const describeOnValkey = await describeValkey({ own: true });
describeOnValkey("Valkey", () => {
  testPartitions("valkey");
});

const describeOnPostgres = await describePostgres({ own: true });
describeOnPostgres("PostgreSQL", () => {
  testPartitions("postgres");
});
