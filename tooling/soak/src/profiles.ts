/** Load profiles: half an hour, and the short form for tests. */
import type { SoakOrder } from "./soak.ts";

export const LONG: SoakOrder = {
  warmMs: 60_000,
  loadMs: 30 * 60_000,
  everyMs: 10_000,
  // Longer than what is kept in reserve: spare database processes, sockets that may be used again.
  quietMs: 35_000,
  restMs: 120_000,
  actsPerSecond: 5,
  killEveryMs: 40_000,
  idleMs: 30_000,
  keepAlive: true,
};

export const SHORT: SoakOrder = {
  warmMs: 2500,
  loadMs: 5000,
  everyMs: 300,
  quietMs: 500,
  restMs: 60_000,
  actsPerSecond: 12,
  killEveryMs: 5000,
  // A machine that is busy with other tests pauses clients for seconds; their sessions must survive that.
  idleMs: 12_000,
  keepAlive: false,
};

/** The same in so many minutes. */
export const withTime = (order: SoakOrder, minutes: number): SoakOrder => ({
  ...order,
  warmMs: Math.min(order.warmMs, (minutes * 60_000) / 3),
  loadMs: minutes * 60_000,
  everyMs: Math.min(order.everyMs, (minutes * 60_000) / 60),
});
