// What leaves us sealed comes back unchanged or not at all.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Sealer } from "../../src/peer/sealer.ts";

const OLD = "the old key of 2026-01";
const NEW = "the new key of 2026-02";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("");

test("opens any text with its binding", async () => {
  const seals = new Sealer([OLD]);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string({ unit: "grapheme" }), async (text, bound) => {
      const sealed = await seals.seal(text, bound);
      expect(sealed).toMatch(/^[\w-]+$/);
      expect(await seals.open(sealed, bound)).toBe(text);
    }),
  );
});

describe("MRTR-15 refuses a changed text", () => {
  test("with any one character changed to any other", async () => {
    const seals = new Sealer([OLD]);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 9 }),
        fc.nat(),
        fc.constantFrom(...LETTERS, "=", " ", "\n", "é", "+", "/"),
        async (text, at, letter) => {
          const sealed = await seals.seal(text, "bound");
          const place = at % sealed.length;
          fc.pre(sealed[place] !== letter);
          expect(await seals.open(sealed.slice(0, place) + letter + sealed.slice(place + 1), "bound")).toBeUndefined();
        },
      ),
      { numRuns: 1000 },
    );
  });

  // Of the last character some bits may be of no use: they are looked at all the same.
  test.each([0, 1, 2])("with another last character and %i more bytes", async (more) => {
    const seals = new Sealer([OLD]);
    const sealed = await seals.seal("x".repeat(more), "bound");
    const opened = await Promise.all(LETTERS.map((letter) => seals.open(sealed.slice(0, -1) + letter, "bound")));
    expect(opened.filter((text) => text !== undefined)).toEqual(["x".repeat(more)]);
  });

  test.each<[what: string, change: (sealed: string) => string]>([
    ["cut at its end", (sealed) => sealed.slice(0, -1)],
    ["cut at its beginning", (sealed) => sealed.slice(1)],
    ["with something behind it", (sealed) => `${sealed}A`],
    ["with a quantum behind it", (sealed) => `${sealed}AAAA`],
    ["with something before it", (sealed) => `AAAA${sealed}`],
    ["padded", (sealed) => `${sealed}=`],
    ["in lower case", (sealed) => sealed.toLowerCase()],
    ["twice", (sealed) => sealed + sealed],
    ["empty", () => ""],
    ["only its key's name", (sealed) => sealed.slice(0, 6)],
    ["without a body", (sealed) => sealed.slice(0, 22)],
    ["words", () => "eyJhbGciOiJub25lIn0.e30."],
  ])("%s", async (_what, change) => {
    const seals = new Sealer([OLD]);
    expect(await seals.open(change(await seals.seal("some text", "bound")), "bound")).toBeUndefined();
  });
});

test("MRTR-16 opens only with the very same binding", async () => {
  const seals = new Sealer([OLD]);
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (bound, other) => {
      fc.pre(bound !== other);
      expect(await seals.open(await seals.seal("text", bound), other)).toBeUndefined();
    }),
  );
});

test("seals the same text differently each time, and unreadably", async () => {
  const seals = new Sealer([OLD]);
  const sealed = await Promise.all(Array.from({ length: 100 }, () => seals.seal("delete everything", "tools/call")));
  expect(new Set(sealed).size).toBe(100);
  for (const one of sealed) {
    const bytes = Buffer.from(one, "base64url").toString("latin1");
    for (const word of ["delete", "tools", OLD, "old key"]) expect(bytes).not.toContain(word);
  }
});

describe("keys", () => {
  test("MRTR-23 open texts of two processes with the same keys", async () => {
    const [one, other] = [new Sealer([OLD]), new Sealer([OLD])];
    expect(await other.open(await one.seal("text", "b"), "b")).toBe("text");
    expect(await one.open(await other.seal("text", "b"), "b")).toBe("text");
  });

  test("may be rotated during rounds: the first seals, all open", async () => {
    const [before, during, after] = [new Sealer([OLD]), new Sealer([NEW, OLD]), new Sealer([NEW])];
    const early = await before.seal("early", "b");
    const late = await during.seal("late", "b");
    expect(await during.open(early, "b")).toBe("early");
    expect(await after.open(early, "b")).toBeUndefined();
    expect(await after.open(late, "b")).toBe("late");
    expect(await before.open(late, "b")).toBeUndefined();
  });

  test("are created for each process by default", async () => {
    const [one, other] = [new Sealer(), new Sealer([])];
    const sealed = await one.seal("text", "b");
    expect(await one.open(sealed, "b")).toBe("text");
    expect(await other.open(sealed, "b")).toBeUndefined();
  });

  test.each(["", "short", "fifteen letters"])("are refused with fewer than 16 characters: %j", (secret) => {
    expect(() => new Sealer([NEW, secret])).toThrow(
      new TypeError("State key too short: expected at least 16 characters. Use a longer random secret."),
    );
  });
});
