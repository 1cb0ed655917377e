// Lines from bytes: the same whatever the chunks, bounded, linear.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineReader } from "../../src/wire/ndjson.ts";

/** What a reader makes of these chunks; faults stand between the lines as `!why`. */
function read(chunks: Iterable<Uint8Array>, limit = 1000, end = true): string[] {
  const found: string[] = [];
  const reader = new LineReader({ line: (text) => found.push(text), fault: (why) => found.push(`!${why}`) }, limit);
  for (const chunk of chunks) reader.push(chunk);
  if (end) reader.end();
  return found;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The simplest reader: all bytes at once, line by line. Faults of length are reported in order, like the others. */
function plain(whole: Uint8Array, limit: number): string[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at <= whole.length; at++) {
    if (at < whole.length && whole[at] !== 10) continue;
    lines.push(whole.slice(from, at));
    from = at + 1;
  }
  return lines.flatMap((line) => {
    if (line.length > limit) return "!too-long";
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
      return /^[ \t\r]*$/.test(text) ? [] : text;
    } catch {
      return "!not-utf-8";
    }
  });
}

function split(whole: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  return places.slice(1).map((place, at) => whole.slice(places[at], place));
}

const piece = fc.oneof(
  fc.constantFrom("{}", "grün 🌳", "\u2028", "\uFEFF", " ", "\t\r", "x".repeat(30), '{"a":1}', "\r").map(bytes),
  fc.constantFrom([0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x8c], [0xc0, 0xaf], [0]).map((list) => Uint8Array.from(list)),
  fc.constant(Uint8Array.of(10)),
  fc.constant(Uint8Array.of(10)),
);
const input = fc.array(piece, { maxLength: 30 }).map((parts) => new Uint8Array(Buffer.concat(parts)));

test("RPC-18 returns the same lines and faults for any split of the bytes", () => {
  fc.assert(
    fc.property(input, fc.array(fc.nat(), { maxLength: 20 }), fc.integer({ min: 1, max: 40 }), (whole, cuts, limit) => {
      expect(read(split(whole, cuts), limit)).toEqual(plain(whole, limit));
    }),
    { numRuns: 2000 },
  );
});

test("RPC-18 returns the same for one byte at a time as for all at once", () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 1, max: 40 }), (whole, limit) => {
      expect(
        read(
          Array.from(whole, (byte) => Uint8Array.of(byte)),
          limit,
        ),
      ).toEqual(read([whole], limit));
    }),
  );
});

test("RPC-18 returns any text whole, split anywhere", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", minLength: 1 }), { maxLength: 6 }), fc.array(fc.nat()), (texts, cuts) => {
      const lines = texts.map((text) => JSON.stringify(text));
      expect(read(split(bytes(lines.map((line) => `${line}\n`).join("")), cuts), 1e6)).toEqual(lines);
    }),
  );
});

describe("RPC-14 counts the bytes of one line towards the limit", () => {
  const rows: [string, string[], string[]][] = [
    ["exactly the limit", ["12345678\n"], ["12345678"]],
    ["one more", ["123456789\n"], ["!too-long"]],
    ["exactly the limit, without newline", ["12345678"], ["12345678"]],
    ["one more, without newline", ["123456789"], ["!too-long"]],
    ["in characters of several bytes", ["ääää\n", "äääää\n"], ["ääää", "!too-long"]],
    ["reached in two chunks", ["1234", "5678\n"], ["12345678"]],
    ["passed in the second chunk", ["1234", "56789\n"], ["!too-long"]],
    ["passed in the chunk with the newline, with more behind it", ["12345678", "9\nab\n"], ["!too-long", "ab"]],
    ["passed, and reported once however long the line is", ["123456789", "x".repeat(100), "y\nab\n"], ["!too-long", "ab"]],
    ["passed, between good lines in one chunk", ["a\n123456789\nb\n12345678\nc\n"], ["a", "!too-long", "b", "12345678", "c"]],
    ["a newline ends it at once", ["123456789", "\n", "ab\n"], ["!too-long", "ab"]],
    ["a near-limit line and the start of the next in one chunk", ["1234567\nabc", "def\n"], ["1234567", "abcdef"]],
  ];
  test.each(rows)("%s", (_title, chunks, lines) => {
    expect(read(chunks.map(bytes), 8)).toEqual(lines);
  });

  test("and reports the error at the limit, not at the newline", () => {
    expect(read([bytes("123456789")], 8, false)).toEqual(["!too-long"]);
  });
});

describe("RPC-02 RPC-17 RPC-19 blank lines, bytes and ends", () => {
  const rows: [string, Uint8Array[], string[]][] = [
    ["nothing", [], []],
    ["an empty chunk", [bytes("")], []],
    ["newlines only", [bytes("\n\n\r\n \n")], []],
    ["long blank lines", [bytes(`${" ".repeat(500)}\n\t\t${" ".repeat(100)}\r\n`)], []],
    ["white space of others is not blank", [bytes("\u00A0\n\u2028\n\uFEFF\n\v\n\f\n")], ["\u00A0", "\u2028", "\uFEFF", "\v", "\f"]],
    ["a carriage return stays", [bytes("a\r\nb\n")], ["a\r", "b"]],
    ["a byte order mark stays", [bytes("\uFEFF{}\n")], ["\uFEFF{}"]],
    ["bytes that are not UTF-8", [Uint8Array.of(0xff, 10), bytes("a\n")], ["!not-utf-8", "a"]],
    ["a character cut off by the newline", [Uint8Array.of(0xe2, 0x82, 10, 0xac, 10)], ["!not-utf-8", "!not-utf-8"]],
    ["a character in two chunks", [Uint8Array.of(0xe2, 0x82), Uint8Array.of(0xac, 10)], ["€"]],
    ["a character cut off by the end", [Uint8Array.of(0x61, 0xe2, 0x82)], ["!not-utf-8"]],
    ["a last line without newline", [bytes("a\nb")], ["a", "b"]],
    ["a blank last line", [bytes("a\n  ")], ["a"]],
  ];
  test.each(rows)("%s", (_title, chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  test("returns the last line once for two ends", () => {
    const found: string[] = [];
    const reader = new LineReader({ line: (text) => found.push(text), fault: () => undefined }, 10);
    reader.push(bytes("abc"));
    reader.end();
    reader.end();
    expect(found).toEqual(["abc"]);
  });
});

test("lets a caller reuse its buffer", () => {
  const found: string[] = [];
  const reader = new LineReader({ line: (text) => found.push(text), fault: (why) => found.push(why) }, 100);
  const chunk = Buffer.from('{"abc');
  reader.push(chunk);
  chunk.fill("A");
  reader.push(Buffer.from('def"}\n'));
  expect(found).toEqual(['{"abcdef"}']);
});

describe("RPC-13 cost", () => {
  /** A chunk that counts how many of its bytes are looked at or copied. */
  class Counting extends Uint8Array {
    static seen = 0;
    override indexOf(item: number, from = 0): number {
      const at = super.indexOf(item, from);
      Counting.seen += (at === -1 ? this.length : at) - from;
      return at;
    }
    override lastIndexOf(item: number): number {
      const at = super.lastIndexOf(item);
      Counting.seen += this.length - Math.max(at, 0);
      return at;
    }
    override slice(from?: number, to?: number): Counting {
      const part = super.slice(from, to) as Counting;
      Counting.seen += part.length;
      return part;
    }
  }

  const seen = (total: number, size: number, limit: number, newlineEvery = Infinity): number => {
    Counting.seen = 0;
    const reader = new LineReader({ line: () => undefined, fault: () => undefined }, limit);
    for (let at = 0; at < total; at += size) {
      reader.push(Counting.from({ length: size }, (_, index) => ((at + index) % newlineEvery === 0 ? 10 : 120)));
    }
    reader.end();
    return Counting.seen;
  };

  test.each([
    ["an endless line, in small chunks", 7, 1e9, Infinity],
    ["an endless line past the limit", 64, 1000, Infinity],
    ["lines longer than chunks", 16, 1e9, 100],
    ["chunks longer than lines", 1000, 1e9, 10],
    ["lines past the limit", 64, 50, 200],
  ])("is linear in the bytes for %s", (_title, size, limit, newlineEvery) => {
    const once = seen(20_000, size, limit, newlineEvery);
    expect(once).toBeLessThan(4 * 20_000);
    expect(seen(80_000, size, limit, newlineEvery)).toBeLessThanOrEqual(4.2 * once + 1000);
  });
});
