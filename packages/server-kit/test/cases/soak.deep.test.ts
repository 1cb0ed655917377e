// Mixed load with faults, for a few seconds or, with OARLOCK_SOAK_MS=3600000, for an hour (security case KIT-16): every request
// is answered once, and what the server holds afterwards is what it held after the first round.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { nodeCommand } from "../../../testing/src/process/node-command.ts";
import { startRaw } from "../../../testing/src/process/raw-process.ts";
import { linkMemory } from "../../src/index.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { retained, type Retained } from "../support/retained.ts";
import { request, result, stillServes } from "../support/sample.ts";
import { ACTS, LIMITS, SoakLoad } from "../support/soak-load.ts";

const SOAK_MS = Number(process.env["OARLOCK_SOAK_MS"] ?? 3000);
const CLIENTS = 24;
/** What may stay of the heap after any time: caches that fill, and the collector's mood. */
const GROWTH = 1_500_000;
const LAST = JSON.stringify(result("last", {}));
const options = { timeout: SOAK_MS + 60_000 };

/** One round to fill what is filled once, then the load; gives what is held after each. */
async function soak(load: SoakLoad, measure: () => Promise<Retained>): Promise<void> {
  await load.open();
  await load.run(CLIENTS, (turn) => turn < 2 * ACTS.length);
  const before = await atRest(measure);
  const end = performance.now() + SOAK_MS;
  await load.run(CLIENTS, () => performance.now() < end);
  expect(load.answered).toBeGreaterThan(10 * CLIENTS);
  expect(thingsOf(await atRest(measure, before))).toEqual(thingsOf(before));
  await load.hasAllPlaces();
  expect((await measure()).heap - before.heap).toBeLessThan(GROWTH);
  expect(load.strays).toEqual([]);
}

const thingsOf = ({ resources, listeners }: Retained): object => ({ resources, listeners });

/** What is held once it stays the same, or has become what is expected; clocks tick on for a moment after the last request. */
async function atRest(measure: () => Promise<Retained>, expected?: Retained): Promise<Retained> {
  const end = performance.now() + 5000;
  for (let last = await measure(); ;) {
    await sleep(300);
    const now = await measure();
    if (isDeepStrictEqual(thingsOf(now), thingsOf(expected ?? last)) || performance.now() > end) return now;
    last = now;
  }
}

test("KIT-16 K3 grows no heap, timers, handles, listeners or slots over stdio; sends one response each", options, async () => {
  await using server = startRaw(nodeCommand(new URL("../fixtures/soaked.ts", import.meta.url), [JSON.stringify({ limits: LIMITS })]));
  const load = new SoakLoad((lines) => void server.send(lines));
  const read = async (): Promise<void> => {
    for (let line = await server.line(); line !== LAST; line = await server.line()) load.take(line);
  };
  const done = read();
  await soak(load, async () => {
    for (;;) {
      const { result } = (await load.call("retained")) as { result: { isError?: true; content: [{ text: string }] } };
      // On a busy machine the collection takes longer than the short time limit of the load.
      if (result.isError !== true) return JSON.parse(result.content[0].text) as Retained;
    }
  });
  await server.send(request("last", "ping"));
  await done;
  await stillServes(server);
  expect(server.stderr).toBe("");
});

test("KIT-16 K3 grows nothing in memory, and leaves nothing after the end", options, async () => {
  const before = await atRest(retained);
  const wire = linkMemory(sampleServer({ limits: LIMITS }));
  const load = new SoakLoad((lines) =>
    String(lines)
      .split("\n")
      .forEach((line) => wire.send(line)),
  );
  wire.onText = (text) => load.take(text);
  await soak(load, retained);
  await wire.close();
  expect(thingsOf(await atRest(retained, before))).toEqual(thingsOf(before));
});
