import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CursorSealer, DomainError } from "../src/index.ts";

const query = ["list", "/folder", { sort: "name" }];

test("opens its own cursors with the same query", () => {
  const sealer = new CursorSealer();
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }).filter((text) => text !== ""),
      (position) => sealer.open(query, sealer.seal(query, position)) === position,
    ),
  );
});

test("refuses a cursor of another query, key or spelling", () => {
  const sealer = new CursorSealer();
  const cursor = sealer.seal(query, "b.txt");
  const strangers = [
    () => sealer.open(["list", "/other", { sort: "name" }], cursor),
    () => new CursorSealer().open(query, cursor),
    () => sealer.open(query, ""),
    () => sealer.open(query, "not a cursor!"),
    () => sealer.open(query, `${cursor}A`),
    () => sealer.open(query, "A".repeat(200_000)),
  ];
  for (const open of strangers) expect(open).toThrow(expect.objectContaining({ name: "DomainError", code: "invalid", expose: true }));
});

test("refuses a cursor in which any bit was changed", () => {
  const sealer = new CursorSealer();
  const bytes = Buffer.from(sealer.seal(query, "position"), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => sealer.open(query, changed.toString("base64url"))).toThrow(DomainError);
  }
});

test("shares cursors between sealers with the same key", () => {
  const key = randomBytes(32);
  let calls = 0;
  const lazy = new CursorSealer(() => (calls++, key));
  expect(calls).toBe(0);
  expect(lazy.open(query, new CursorSealer(key).seal(query, "p"))).toBe("p");
  expect(lazy.open(query, lazy.seal(query, "q"))).toBe("q");
  expect(calls).toBe(1);
});

test("shares cursors between sealers with the same secrets and server", () => {
  const sealer = (...secrets: string[]): CursorSealer => CursorSealer.fromSecrets(secrets, "files");
  const cursor = sealer("first").seal(query, "p");
  expect(sealer("first").open(query, cursor)).toBe("p");
  expect(sealer("second", "first").open(query, cursor)).toBe("p");
  expect(() => sealer("second").open(query, cursor)).toThrow(DomainError);
  expect(() => sealer("first").open(query, sealer("second", "first").seal(query, "p"))).toThrow(DomainError);
  expect(() => CursorSealer.fromSecrets(["first"], "git").open(query, cursor)).toThrow(DomainError);
  expect(() => sealer().open(query, sealer().seal(query, "p"))).toThrow(DomainError);
});
