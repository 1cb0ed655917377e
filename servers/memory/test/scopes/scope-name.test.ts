// Names of scopes, and where their memories are.
import { describe, expect, test } from "vitest";
import { scopeOfPrincipal, scopeOfProject } from "../../src/scopes/derived-scope.ts";
import { isScopeName } from "../../src/scopes/scope-name.ts";
import { scopedLocation } from "../../src/scopes/scoped-location.ts";

test.each(["work", "a", "7", "team-a", "a".repeat(48)])("accepts the name %s", (name) => {
  expect(isScopeName(name)).toBe(true);
});

test.each(["", "Work", "a_b", "-a", "a-", "../x", "a/b", "a\\b", "a.b", "a b", "é", "a\n", "a".repeat(49)])(
  "refuses the name %j",
  (name) => {
    expect(isScopeName(name)).toBe(false);
    expect(() => scopedLocation({ database: "/m.db" }, name)).toThrow(
      /^Invalid scope .*Choose another name for --scope or --read-scope\.$/,
    );
  },
);

describe("the scope of a project", () => {
  test("has the name of its folder, and differs by path and user", () => {
    const names = [
      scopeOfProject("file:///home/ada/My%20Work", undefined),
      scopeOfProject("file:///home/bob/My%20Work", undefined),
      scopeOfProject("file:///home/ada/My%20Work", "ada"),
      scopeOfProject("file:///", undefined),
      scopeOfProject("file:///%E0%A4%A", undefined),
      scopeOfProject(`file:///${"long".repeat(50)}`, undefined),
    ];
    expect(names[0]).toMatch(/^project-my-work-[0-9a-f]{12}$/);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !isScopeName(name))).toEqual([]);
  });

  test("is the same with and without a slash at the end", () => {
    expect(scopeOfProject("file:///projects/", undefined)).toBe(scopeOfProject("file:///projects", undefined));
  });
});

test("shows nothing of the user's name in the scope", () => {
  expect(scopeOfPrincipal("https://login.example sub:../../ada")).toMatch(/^user-[0-9a-f]{20}$/);
});

describe("the location of a scope", () => {
  test.each([
    [{ database: "/d/memory.db" }, { database: "/d/memory.work.db" }],
    [{ database: "/d/plain" }, { database: "/d/plain.work" }],
    [{ database: "/d.x/.hidden" }, { database: "/d.x/.hidden.work" }],
    [{ database: ":memory:" }, { database: ":memory:" }],
    [
      { database: "/d/m.jsonl.db", mirror: "/d/m.jsonl" },
      { database: "/d/m.work.jsonl.db", mirror: "/d/m.work.jsonl" },
    ],
  ])("of %j is %j", (location, expected) => {
    expect(scopedLocation(location, "work")).toEqual(expected);
    expect(scopedLocation(location, "default")).toBe(location);
    expect(scopedLocation(location, undefined)).toBe(location);
  });

  test("on Postgres is a schema whose name is never cut", () => {
    const at = (schema: string, scope: string): string =>
      scopedLocation({ address: "postgres://h/d", displayName: "h/d", schema }, scope).schema;
    expect(at("oarlock_memory", "team-a")).toBe("oarlock_memory__team_a");
    const long = [at("oarlock_memory", `${"a".repeat(40)}-b`), at("oarlock_memory", `${"a".repeat(40)}-c`), at("s".repeat(40), "x")];
    expect(new Set(long).size).toBe(3);
    expect(long.filter((name) => name.length > 40)).toEqual([]);
  });
});
