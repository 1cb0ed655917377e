// Floods of calls: what is beyond the rate or the queue is refused, everything else is served in order (security case RPC-24).
import { expect } from "vitest";
import type { Json } from "../../src/protocol.ts";
import type { LinePeer } from "./line-server.ts";
import { call, eventually, refusal, stillServes, words } from "./sample.ts";

/** What a server runs and queues at once by default. */
const RUNNING = 64;
const QUEUED = 4096;

const ascending = (ids: readonly unknown[]): unknown[] => ids.toSorted((a, b) => Number(a) - Number(b));

const lines = (count: number, name: string, args: object): string =>
  Array.from({ length: count }, (_, id) => `${JSON.stringify(call(id, name, { ...args }))}\n`).join("");

/** Sends `count` calls that answer at once, which takes a few seconds at most, to a server that takes `rate` of them a second. */
export async function floodRate(server: LinePeer, count: number, rate: number): Promise<void> {
  void server.write(lines(count, "echo", { message: "x" }));
  const answers: Json[] = [];
  while (answers.length < count) answers.push(await server.message());
  const isServed = ({ result }: Json): boolean => result !== undefined;
  expect(answers).toEqual(answers.map((answer) => (isServed(answer) ? words(answer["id"], "x") : refusal(answer["id"], 429))));
  const [served, refused] = [true, false].map((wanted) => answers.filter((answer) => isServed(answer) === wanted).map(({ id }) => id)) as [
    unknown[],
    unknown[],
  ];
  // A refusal may overtake a call that waits because the answers are not read fast enough.
  for (const ids of [served, refused]) expect(ids).toEqual(ascending(ids));
  expect(new Set([...served, ...refused]).size).toBe(count);
  expect(served.length).toBeGreaterThanOrEqual(rate);
  expect(refused.length).toBeGreaterThan(0);
  // A second later calls are served again, the first as soon as one is due.
  await eventually(() => server.request(call("again", "echo", { message: "x" }))).toEqual(words("again", "x"));
}

/** Sends `count` calls that take their time, to a server that limits no rate. */
export async function floodQueue(server: LinePeer, count: number): Promise<void> {
  void server.write(lines(count, "busy", { ms: 5 }));
  const refused = new Map<unknown, unknown>();
  const ran: { id: number; order: number; most: number }[] = [];
  for (let came = 0; came < count; came++) {
    const { id, error, result } = await server.message();
    if (error !== undefined) refused.set(id, (error as Json)["code"]);
    else ran.push({ id: Number(id), ...JSON.parse((result as { content: [{ text: string }] }).content[0].text) });
  }
  expect(new Set(refused.values())).toEqual(new Set([429]));
  expect(new Set([...refused.keys(), ...ran.map(({ id }) => id)]).size).toBe(count);
  expect(ran.length).toBeGreaterThanOrEqual(RUNNING + QUEUED);
  expect(Math.max(...ran.map(({ most }) => most))).toBe(RUNNING);
  const started = ran.toSorted((a, b) => a.order - b.order).map(({ id }) => id);
  expect(started).toEqual(ascending(started));
  await stillServes(server);
}
