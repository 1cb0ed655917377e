// Slots: bounded for all and for each person, given in turn, and never lost.
import { actFor, FairSlots } from "@oarlock/domain-kit";
import { expect, test } from "vitest";

interface Piece {
  readonly done: Promise<unknown>;
  end(): void;
  abort(): void;
}

function openSlots(options: { all: number; ofOne: number }) {
  const slots = new FairSlots(options);
  const started: string[] = [];
  const begin = (person: string | undefined, name: string): Piece => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const run = (): Promise<void> => {
      const work = (): Promise<void> => (started.push(name), promise);
      return slots.run(work, stop.signal);
    };
    const running = person === undefined ? run() : actFor(person, run);
    return { done: running.catch((error: unknown) => error), end: resolve, abort: () => stop.abort() };
  };
  return { begin, started };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("leaves slots to others where one person wants all", async () => {
  const { begin, started } = openSlots({ all: 4, ofOne: 2 });
  for (let count = 1; count <= 5; count += 1) begin("ada", `a${count}`);
  begin("ben", "b1");
  await settled();
  expect(started).toEqual(["a1", "a2", "b1"]);
});

test("gives a free slot to whom has the fewest, then to whom waits longest", async () => {
  const { begin, started } = openSlots({ all: 1, ofOne: 1 });
  const first = begin("ada", "a1");
  for (const [person, name] of [["ada", "a2"], ["ada", "a3"], ["ben", "b1"], ["cleo", "c1"]] as const) begin(person, name).end(); // prettier-ignore
  first.end();
  await settled();
  expect(started).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

test("gives all slots to one user without a login", async () => {
  const { begin, started } = openSlots({ all: 3, ofOne: 1 });
  for (const name of ["1", "2", "3", "4"]) begin(undefined, name);
  await settled();
  expect(started).toEqual(["1", "2", "3"]);
});

test("frees a slot after a failure, and none of one that was aborted while it waited", async () => {
  const { begin, started } = openSlots({ all: 1, ofOne: 1 });
  const slots = new FairSlots({ all: 1 });
  await expect(slots.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await slots.run(() => Promise.resolve("free"))).toBe("free");
  const [first, aborted, last] = [begin("ada", "a1"), begin("ben", "b1"), begin("cleo", "c1")];
  aborted.abort();
  expect(await aborted.done).toMatchObject({ name: "AbortError" });
  first.end();
  await settled();
  expect(started).toEqual(["a1", "c1"]);
  last.end();
});
