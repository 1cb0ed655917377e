// A directory that is mounted at two places: what is moved or copied onto itself, or into itself, by its other path.
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isSameEntry, isWithin } from "../../../src/disk/transfer/place-identity.ts";
import { SOURCES } from "../support/sources.ts";
import { scratch } from "../support/scratch.ts";

test("a directory lies within itself and what is above it, and in nothing else", async () => {
  const place = scratch({ "a/b/c": null, other: null });
  const area = await place.area();
  using inner = area.folder(place.at("a/b/c"));
  for (const [name, expected] of [
    ["a/b/c", true],
    ["a", true],
    [".", true],
    ["other", false],
  ] as const) {
    using top = area.folder(place.at(name));
    expect(isWithin(inner, top.stat), name).toBe(expected);
  }
  using one = area.entry(place.at("a/b/x"));
  using same = area.entry(place.at("other/../a/b/x"));
  using another = area.entry(place.at("a/b/y"));
  expect([isSameEntry(one, same), isSameEntry(one, another)]).toEqual([true, false]);
});

const child = fileURLToPath(new URL("../children/mounted-twice.ts", import.meta.url));
/** Mounts are the administrator's, in a space of names of his own. */
const mayMount = process.platform === "linux" && spawnSync("unshare", ["--mount", "mount", "--bind", "/tmp", "/tmp"]).status === 0;

test.runIf(mayMount)("nothing is lost, and nothing grows, where the other path is another mount", () => {
  const place = scratch({ "a/f": "content", "a/e": null, "a/d/x": "1", b: null });
  const replyText = execFileSync("unshare", ["--mount", process.execPath, ...SOURCES, child, place.at("a"), place.at("b")], {
    encoding: "utf8",
  });
  const { results, left } = JSON.parse(replyText) as { results: string[]; left: string[] };
  expect(results).toEqual(["exists", "exists", "exists", "exists", "invalid", "invalid", "moved"]);
  expect(left).toEqual(["d", "d/x", "e", "g"]);
});
