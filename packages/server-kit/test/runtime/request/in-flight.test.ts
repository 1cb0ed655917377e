// The table of requests that have no answer yet, against a plain model of it.
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { RequestContext } from "../../../src/runtime/request/context.ts";
import { InFlightRequests } from "../../../src/runtime/request/in-flight.ts";

/** All that the table reads and writes of a request. */
const request = (id: string | number): RequestContext => ({ id, key: id, isRunning: false }) as RequestContext;

interface World {
  table: InFlightRequests;
  /** Started and not ended, in order. */
  running: RequestContext[];
  start(id: string | number): "runs" | "waits" | "refused";
}

function world(most: number, longest: number): World {
  const running: RequestContext[] = [];
  const enter = (ctx: RequestContext): void => {
    table.add(ctx);
    running.push(ctx);
  };
  const table: InFlightRequests = new InFlightRequests(most, longest, enter);
  return {
    table,
    running,
    start(id) {
      const ctx = request(id);
      if (table.hasCapacity) return (enter(ctx), "runs");
      return table.enqueue(ctx) ? "waits" : "refused";
    },
  };
}

test("RPC-24 runs requests up to the limit, queues others in order, and refuses more", () => {
  const { table, running, start } = world(2, 2);
  expect([1, 2, 3, 4, 5].map(start)).toEqual(["runs", "runs", "waits", "waits", "refused"]);
  expect(table.size).toBe(4);
  expect(table.remove(running[0]!)).toBe(true);
  table.pump();
  expect(running.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(start(6)).toBe("waits");
});

test("keeps a queue for each table, although requests of two clients have the same ids", () => {
  const [one, two] = [world(1, 5), world(1, 5)];
  for (const { start } of [one, two]) expect([1, 2].map(start)).toEqual(["runs", "waits"]);
  for (const { table, running } of [two, one]) {
    table.remove(running[0]!);
    table.pump();
  }
  expect([one, two].map(({ running }) => running.map(({ id }) => id))).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(one.running[1]).not.toBe(two.running[1]);
});

test("starts queued requests in order, whatever else was cancelled in the queue", () => {
  const { table, running, start } = world(1, 3);
  expect([1, 2, 3].map(start)).toEqual(["runs", "waits", "waits"]);
  for (let id = 10; id < 40; id++) {
    expect(start(id)).toBe("waits");
    expect(table.remove(table.get(id)!)).toBe(true);
  }
  expect([4, 5].map(start)).toEqual(["waits", "refused"]);
  for (const _ of [1, 2, 3, 4]) {
    table.remove(running.at(-1)!);
    table.pump();
  }
  expect(running.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect([table.size, table.get(4)]).toEqual([0, undefined]);
});

test("lets no request overtake the queue, even between an end and the next start", () => {
  const { table, running, start } = world(1, 5);
  start(1);
  start(2);
  table.remove(running[0]!);
  expect(start(3)).toBe("waits");
  table.pump();
  expect(running.map(({ id }) => id)).toEqual([1, 2]);
});

test("removes each request once, and no other", () => {
  const { table, running, start } = world(2, 2);
  start("a");
  expect(table.remove(request("a"))).toBe(false);
  expect(table.remove(running[0]!)).toBe(true);
  expect(table.remove(running[0]!)).toBe(false);
  expect(table.size).toBe(0);
});

test('distinguishes 1 and "1"', () => {
  const { table, start } = world(9, 0);
  start(1);
  expect(table.get("1")).toBeUndefined();
  expect(table.get(1)).toBeDefined();
});

test("starts nothing while paused", () => {
  const { table, running, start } = world(2, 5);
  table.isPaused = true;
  expect([1, 2, 3].map(start)).toEqual(["waits", "waits", "waits"]);
  table.pump();
  expect(running).toEqual([]);
  table.isPaused = false;
  table.pump();
  expect(running.map(({ id }) => id)).toEqual([1, 2]);
});

test("notifies when nothing is left", () => {
  const { table, running, start } = world(1, 5);
  const idle = vi.fn<() => void>();
  table.onIdle = idle;
  start(1);
  start(2);
  table.remove(running[0]!);
  table.pump();
  expect(idle).not.toHaveBeenCalled();
  table.remove(running[1]!);
  table.pump();
  expect(idle).toHaveBeenCalledTimes(1);
});

test("keeps limits, order and every request over any sequence of starts, ends and cancellations", () => {
  const step = fc.oneof(
    fc.constant({ do: "start" as const }),
    fc.record({ do: fc.constant("end" as const), at: fc.nat() }),
    fc.record({ do: fc.constant("cancel" as const), at: fc.nat() }),
    fc.constant({ do: "pause" as const }),
    fc.constant({ do: "resume" as const }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 4 }),
      fc.array(step, { maxLength: 100 }),
      (most, longest, steps) => {
        const { table, running, start } = world(most, longest);
        let next = 0;
        let waiting: number[] = [];
        const live = (): RequestContext[] => running.filter((ctx) => table.get(ctx.id) === ctx);
        for (const one of steps) {
          if (one.do === "start") {
            const before = waiting.length;
            const became = start(next);
            if (became === "waits") waiting.push(next);
            if (became === "refused") expect(before).toBe(longest);
            next++;
          } else if (one.do === "end") {
            const ctx = live()[one.at % Math.max(1, live().length)];
            if (ctx !== undefined) expect(table.remove(ctx)).toBe(true);
            table.pump();
          } else if (one.do === "cancel") {
            const id = waiting[one.at % Math.max(1, waiting.length)];
            const ctx = id === undefined ? undefined : table.get(id);
            if (ctx !== undefined) expect(table.remove(ctx)).toBe(true);
            waiting = waiting.filter((other) => other !== id);
            table.pump();
          } else {
            table.isPaused = one.do === "pause";
            if (!table.isPaused) table.pump();
          }
          const started = new Set(running.map(({ id }) => id));
          waiting = waiting.filter((id) => !started.has(id));
          expect(live().length).toBeLessThanOrEqual(most);
          expect(waiting.length).toBeLessThanOrEqual(longest);
          expect(table.size).toBe(live().length + waiting.length);
          if (!table.isPaused && waiting.length > 0) expect(live()).toHaveLength(most);
        }
        expect(running.map(({ id }) => id)).toEqual(running.map(({ id }) => id).toSorted((a, b) => Number(a) - Number(b)));
      },
    ),
    { numRuns: 500 },
  );
});
