// Named collections in order, with change news.
import { describe, expect, test, vi } from "vitest";
import { Registry } from "../../src/features/registry.ts";

interface Item {
  name: string;
  n?: number;
}
const make = (...names: string[]): Registry<Item> =>
  new Registry<Item>(
    "things",
    ({ name }) => name,
    names.map((name) => ({ name })),
  );
const names = (registry: Registry<Item>): string[] => [...registry].map(({ name }) => name);

test("keeps the order of registration", () => {
  const registry = make("b", "a", "10", "9");
  registry.add({ name: "c" }, { name: "0" });
  expect(names(registry)).toEqual(["b", "a", "10", "9", "c", "0"]);
  registry.remove("a", "9");
  registry.add({ name: "a" });
  expect(names(registry)).toEqual(["b", "10", "c", "0", "a"]);
  expect(registry.size).toBe(5);
  expect(registry.get("a")).toEqual({ name: "a" });
  expect(["nope", "__proto__", "constructor"].map((name) => registry.get(name))).toEqual([undefined, undefined, undefined]);
});

test("applies the filter to each entry, remembers the reason, and forgets it when the name is added", () => {
  const registry = new Registry<Item>("things", ({ name }) => name);
  registry.keep(
    ({ n = 0 }) => n < 3,
    ({ name }) => `${name} is too large.`,
  );
  registry.keep(({ name }) => name !== "secret");
  const loaded = (): Item[] => [{ name: "a" }, { name: "b", n: 5 }, { name: "secret" }, { name: "c", n: 9 }];
  registry.fill(loaded());
  expect(names(registry)).toEqual(["a"]);
  expect([...registry.withheld]).toEqual([
    ["b", "b is too large."],
    ["c", "c is too large."],
  ]);
  registry.add({ name: "b" });
  expect([...registry.withheld.keys()]).toEqual(["c"]);
});

test("rejects a withheld entry, and explains how to offer it", () => {
  const registry = new Registry<Item>("things", ({ name }) => name, undefined, false);
  expect(() => registry.add({ name: "a" })).toThrow("Cannot add things: the server was defined without this list.");
  expect(names(registry)).toEqual([]);
});

describe("a name in use", () => {
  test("is refused", () => {
    expect(() => make("a", "a")).toThrow('Duplicate name "a" among the things. Rename one of them, or enter it once.');
    expect(() => make("a").add({ name: "a" })).toThrow('"a"');
  });

  test("adds nothing of its definition, and notifies nobody", () => {
    const registry = make("a");
    const changed = vi.fn<() => void>();
    registry.onChange(changed);
    const { version } = registry;
    expect(() => registry.add({ name: "b" }, { name: "a" })).toThrow('"a"');
    expect(() => registry.add({ name: "c" }, { name: "c" })).toThrow('"c"');
    expect(names(registry)).toEqual(["a"]);
    expect(registry.version).toBe(version);
    expect(changed).not.toHaveBeenCalled();
  });
});

test("raises the version and notifies once for each change, and not for an operation without effect", () => {
  const registry = make("a");
  const changed = vi.fn<() => void>();
  const stop = registry.onChange(changed);
  const versions = [registry.version];
  registry.add({ name: "b" }, { name: "c" });
  versions.push(registry.version);
  registry.remove("a", "b", "nope");
  versions.push(registry.version);
  registry.remove("nope");
  versions.push(registry.version);
  expect(new Set(versions).size).toBe(3);
  expect(changed).toHaveBeenCalledTimes(2);
  stop();
  registry.add({ name: "d" });
  expect(changed).toHaveBeenCalledTimes(2);
});

test("notifies of a change in the entries that its definitions list, once", () => {
  const registry = make("a");
  const changed = vi.fn<() => void>();
  registry.onChange(changed);
  const { version } = registry;
  registry.touch();
  expect([changed.mock.calls.length, registry.version, names(registry)]).toEqual([1, version + 1, ["a"]]);
});
