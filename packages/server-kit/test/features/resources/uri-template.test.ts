// URI templates: what is served, round trips, cost (security cases KIT-01 … KIT-03).
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uriTemplate } from "../../../src/features/resources/uri-template.ts";

describe("match", () => {
  const rows: [string, string, Record<string, string> | undefined][] = [
    ["note:///{name}", "note:///today", { name: "today" }],
    ["note:///{name}", "NOTE:///today", { name: "today" }],
    ["NOTE:///{name}", "note:///today", { name: "today" }],
    ["note:///{name}", "note:///a%20b%2Bc", { name: "a b+c" }],
    ["note:///{name}", "note:///a/b", undefined],
    ["note:///{name}", "note:///a%2Fb", undefined],
    ["note:///{name}", "note:///", undefined],
    ["note:///{name}", "note://today", undefined],
    ["note:///{name}", "xnote:///today", undefined],
    ["file:///{+path}", "file:///a/b/c.txt", { path: "a/b/c.txt" }],
    ["file:///{+path}", "file:///", undefined],
    ["file:///{+path}", "file:///%252e", { path: "%2e" }],
    ["db://{db}/{table}/schema", "db://main/users/schema", { db: "main", table: "users" }],
    ["db://{db}/{table}/schema", "db://main/users/schemas", undefined],
    ["db://{db}/{table}/schema", "db://main//schema", undefined],
    ["db://{db}/{table}/schema", "db:///users/schema", undefined],
    ["r://{+path}/status", "r://a/status/status", { path: "a/status" }],
    ["r://{+path}@{rev}", "r://a/b@c", { path: "a/b", rev: "c" }],
    ["fixed://x", "fixed://x", {}],
    ["fixed://x", "fixed://y", undefined],
    ["q://{a}?x={b}", "q://1?x=2", { a: "1", b: "2" }],
    ["p://{__proto__}", "p://x", Object.fromEntries([["__proto__", "x"]])],
  ];
  test.each(rows)("KIT-03 %s ← %s", (source, uri, values) => {
    expect(uriTemplate(source).match(uri)).toEqual(values);
  });

  test("KIT-03 broken escapes are reported as invalid params", () => {
    for (const uri of ["note:///%", "note:///%zz", "note:///%c3", "note:///a%"]) {
      expect(() => uriTemplate("note:///{name}").match(uri)).toThrow("escape");
    }
  });

  test("gives the values that an address was made of", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("/") && text.isWellFormed());
    const path = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
    const { match } = uriTemplate("x://{one}/-/{two}/!/{+rest}");
    fc.assert(
      fc.property(word, word, path, (one, two, rest) => {
        const end = encodeURI(rest).replaceAll("#", "%23").replaceAll("?", "%3F");
        expect(match(`x://${encodeURIComponent(one)}/-/${encodeURIComponent(two)}/!/${end}`)).toEqual({ one, two, rest });
      }),
      { numRuns: 1000 },
    );
  });

  test("KIT-03 G4 decodes a value exactly once", () => {
    fc.assert(
      fc.property(fc.constantFrom("%2e%2e", "%252f", "..", "%00", "%25"), (raw) => {
        expect(uriTemplate("a:/{+x}").match(`a:/${raw}`)).toEqual({ x: decodeURIComponent(raw) });
      }),
    );
  });
});

describe("refuses an invalid template at its definition", () => {
  const refused = [
    "{/id*}",
    "{?t*}",
    "{;x*}",
    "{#x}",
    "{.x}",
    "{&x}",
    "{x*}",
    "{x:3}",
    "{x,y}",
    "{}",
    "{ x }",
    "{1x}",
    "{x-y}",
    "a{",
    "a}",
    "a{b",
    "{a{b}}",
    "{a}}",
    "{a}{b}",
    "{+a}{b}",
    "{a}{b}{c}",
    "{a}/{a}",
    `{${"x".repeat(65)}}`,
    "x".repeat(1_000_000),
    "{a}/".repeat(10_000),
    Array.from({ length: 17 }, (_, at) => `{v${at}}`).join("/"),
  ];
  test.each(refused.map((source) => [source.slice(0, 40), source]))("KIT-01 KIT-02 %s", (_shown, source) => {
    expect(() => uriTemplate(source)).toThrow(/URI template/);
  });

  test("KIT-02 clips a long template in errors", () => {
    expect(() => uriTemplate("x".repeat(1_000_000))).toThrow(expect.objectContaining({ message: expect.not.stringContaining("xxxx") }));
  });

  test("serves 16 variables and 2,048 characters", () => {
    const names = Array.from({ length: 16 }, (_, at) => `v${at}`);
    const address = names.map((name) => `of-${name}`).join("/");
    const values = Object.fromEntries(names.map((name) => [name, `of-${name}`]));
    expect(uriTemplate(names.map((name) => `{${name}}`).join("/")).match(address)).toEqual(values);
    expect(uriTemplate("x".repeat(2048)).match("x".repeat(2048))).toEqual({});
  });
});

describe("KIT-01 refuses near misses", () => {
  const many = Array.from({ length: 16 }, (_, at) => `{v${at}}`).join("a");
  test.each([
    ["one segment", "x://{a}/b", `x://${"a".repeat(1000)}`],
    ["sixteen variables with one literal", many, "a".repeat(1000)],
    ["sixteen variables, no literal in sight", many, "b".repeat(1000)],
    ["a literal that almost repeats", "x:{a}aaaaaaaaab{b}!", `x:${"a".repeat(1000)}`],
    ["percent signs", "x:{a}/{b}", `x:${"%41".repeat(330)}`],
    ["slashes", "x:{a}/{b}/end", `x:${"/".repeat(1000)}`],
  ])("%s", (_title, source, uri) => {
    const { match } = uriTemplate(source);
    expect(match(uri)).toBeUndefined();
  });
});
