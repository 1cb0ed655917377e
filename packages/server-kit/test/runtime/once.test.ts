// Values that a handler makes once for all rounds of its request.
import { afterEach, expect, test, vi } from "vitest";
import { accept, askedBy, CALL, first, nameOf, who, words } from "../support/asking.ts";
import type { ModernTalk } from "../support/modern-talk.ts";

const open: ModernTalk[] = [];
const talk = (...given: Parameters<typeof askedBy>): ModernTalk => {
  const client = askedBy(...given);
  open.push(client);
  return client;
};

afterEach(async () => {
  for (const client of open.splice(0)) await client[Symbol.asyncDispose]();
});

const kept = async (make: () => unknown): Promise<unknown[]> => {
  const seen: unknown[] = [];
  const client = talk(async (ctx) => {
    seen.push(await ctx.once("it", make));
    return nameOf(await ctx.elicit(who));
  });
  await client.retry("tools/call", CALL, await first(client), { "elicit-1": accept("Ada") });
  return seen;
};

test.each<[value: unknown]>([[0], [null], [false], [""], ["text"], [[1, { a: null }]], [{ a: { b: "ä" } }]])("keeps %j", async (value) => {
  const make = vi.fn<() => unknown>(() => value);
  expect(await kept(make)).toEqual([value, value]);
  expect(make).toHaveBeenCalledTimes(1);
});

test("returns in all rounds the JSON form of the value", async () => {
  expect(await kept(() => ({ at: new Date(0), no: undefined }))).toEqual([
    { at: "1970-01-01T00:00:00.000Z" },
    { at: "1970-01-01T00:00:00.000Z" },
  ]);
});

test("refuses values that JSON cannot hold", async () => {
  const client = talk((ctx) => ctx.once("it", () => undefined).catch((error: unknown) => String(error)));
  expect(await first(client)).toEqual(words('TypeError: ctx.once("it") returned a value that JSON cannot hold.'));
});

test("repeats a failed or unfinished value", async () => {
  let tries = 0;
  const fails = talk(async (ctx) => {
    const value = await ctx.once("it", () => (++tries === 1 ? Promise.reject(new Error("not yet")) : tries)).catch(() => "failed");
    return `${value} ${nameOf(await ctx.elicit(who))}`;
  });
  expect(await fails.retry("tools/call", CALL, await first(fails), { "elicit-1": accept("Ada") })).toEqual(words("2 Ada"));

  const slow = Promise.withResolvers<string>();
  const makes = [vi.fn<() => Promise<string>>(() => slow.promise), vi.fn<() => Promise<string>>(async () => "made")];
  let round = 0;
  const late = talk(async (ctx) => {
    const make = makes[round++]!;
    const [value, name] = await Promise.all([ctx.once("it", make), ctx.elicit(who)]);
    return `${value} ${nameOf(name)}`;
  });
  const one = await first(late);
  slow.resolve("too late");
  expect(await late.retry("tools/call", CALL, one, { "elicit-1": accept("Ada") })).toEqual(words("made Ada"));
  expect(makes.map((make) => make.mock.calls.length)).toEqual([1, 1]);
});

test("computes a value once for concurrent calls", async () => {
  const make = vi.fn<() => Promise<number>>(async () => 1);
  const client = talk(async (ctx) => (await Promise.all([ctx.once("it", make), ctx.once("it", make)])).join());
  expect(await first(client)).toEqual(words("1,1"));
  expect(make).toHaveBeenCalledTimes(1);
});
