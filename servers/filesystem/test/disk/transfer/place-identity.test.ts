// Whether two paths lead to one entry, or one of them into the other.
import { expect, test } from "vitest";
import { isSameEntry, isWithin } from "../../../src/disk/transfer/place-identity.ts";
import { scratch } from "../support/scratch.ts";

test("finds a directory within itself and its parents, and in nothing else", async () => {
  const place = scratch({ "a/b/c": null, other: null });
  const sandbox = await place.sandbox();
  using inner = sandbox.folder(place.at("a/b/c"));
  for (const [name, expected] of [
    ["a/b/c", true],
    ["a", true],
    [".", true],
    ["other", false],
  ] as const) {
    using top = sandbox.folder(place.at(name));
    expect(isWithin(inner, top.stat), name).toBe(expected);
  }
  using one = sandbox.entry(place.at("a/b/x"));
  using same = sandbox.entry(place.at("other/../a/b/x"));
  using another = sandbox.entry(place.at("a/b/y"));
  expect([isSameEntry(one, same), isSameEntry(one, another)]).toEqual([true, false]);
});
