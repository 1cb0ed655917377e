// How long contents of a template may be kept: the same for all, or by the variables.
import { expect, test } from "vitest";
import { template } from "../../../src/index.ts";

const read = (): string => "";

test("CACHE-01 reports for each URI of a template how long its contents may be cached", () => {
  const cache = ({ id }: { id: string }) => (id.length === 40 ? { ttlMs: 1000, scope: "public" as const } : {});
  const { hints } = template({ uri: "object:///{id}", name: "object", cache, read });
  expect(hints({ id: "a".repeat(40) })).toEqual({ ttlMs: 1000, cacheScope: "public" });
  expect(hints({ id: "main" })).toEqual({ ttlMs: 0, cacheScope: "private" });
});

test("CACHE-01 reports the same for all URIs of a template without variables in its hints", () => {
  expect(template({ uri: "a:///{id}", name: "a", cache: { ttlMs: 5 }, read }).hints({ id: "x" })).toEqual({
    ttlMs: 5,
    cacheScope: "private",
  });
  expect(() => template({ uri: "a:///{id}", name: "a", cache: { ttlMs: -1 }, read })).toThrow(/ttlMs/);
});
