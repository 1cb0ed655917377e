// Which scopes stay open, and that one is never opened while it still closes.
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ScopePool, type ScopeFeatures } from "../../src/scopes/scope-pool.ts";

/** A pool that notes when scopes are opened and closed. `mayClose`: a promise for which each closing waits. */
function pooled(mayClose: Promise<unknown> = Promise.resolve()) {
  const events: string[] = [];
  const pool = new ScopePool(async (scope) => {
    if (scope === "broken") throw new Error("broken");
    events.push(`open ${scope}`);
    const close = async (): Promise<void> => {
      await mayClose;
      events.push(`close ${scope}`);
    };
    return { tools: [], resources: [], prompts: [], close } as unknown as ScopeFeatures; // the pool uses nothing else
  });
  const use = (scope: string): Promise<string> => pool.use(scope, undefined, () => scope);
  const useMany = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) await use(`${at}`);
  };
  return { pool, events, use, useMany };
}

test("32 unused scopes stay open, and those that were used last", async () => {
  const { events, use, useMany } = pooled();
  await useMany(32);
  await use("0");
  expect(events).toHaveLength(32);
  await use("32");
  await setImmediate();
  expect(events.slice(32)).toEqual(["open 32", "close 1"]);
});

test("closes a scope after its last user is done", async () => {
  const { pool, events, useMany } = pooled();
  const [, releaseOne] = await pool.hold("held");
  const [, releaseTwo] = await pool.hold("held");
  releaseOne();
  releaseOne();
  await useMany(40);
  await setImmediate();
  expect(events).not.toContain("close held");
  releaseTwo();
  await useMany(40);
  await setImmediate();
  expect(events).toContain("close held");
});

test("opens a closing scope again only when it is closed", async () => {
  const closing = Promise.withResolvers<void>();
  const { events, use, useMany } = pooled(closing.promise);
  await useMany(33);
  const again = use("0");
  await setImmediate();
  expect(events.at(-1)).toBe("open 32");
  closing.resolve();
  await again;
  expect(events.slice(33, 35)).toEqual(["close 0", "open 0"]);
});

test("tries again to open a scope", async () => {
  const { use } = pooled();
  for (const _ of [1, 2]) await expect(use("broken")).rejects.toThrow("broken");
  expect(await use("other")).toBe("other");
});

test("waits for all scopes when it closes", async () => {
  const closing = Promise.withResolvers<void>();
  const { pool, events, useMany } = pooled(closing.promise);
  await useMany(33);
  const state = { isClosed: false };
  const closed = pool.close().then(() => (state.isClosed = true));
  await setImmediate();
  expect(state.isClosed).toBe(false);
  closing.resolve();
  await closed;
  expect(events.filter((event) => event.startsWith("close")).toSorted()).toEqual(
    Array.from({ length: 33 }, (_, at) => `close ${at}`).toSorted(),
  );
});
