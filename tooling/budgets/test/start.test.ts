/** A start loads what it needs and no more: counted up to the answer to `initialize`. */
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { loadsOf, nothing } from "../src/loads.ts";
import { built } from "../src/places.ts";
import { STARTS } from "../src/starts.ts";

/** Inner modules have names that nobody can import. */
const isPublic = (name: string): boolean => !/^(?:internal\/|_)/.test(name);

test.each(STARTS)(
  "$name: at most $builtins modules of Node and $files files",
  { timeout: 120_000 },
  async ({ path, args, http, builtins, may, files }) => {
    await using folder = tempFolder();
    const [empty, loaded] = await Promise.all([nothing(), loadsOf({ http }, built(path), args(folder))]);
    const own = loaded.builtins.filter((name) => !empty.builtins.includes(name));
    expect(own.filter((name) => isPublic(name) && !may.includes(name))).toEqual([]);
    expect(own.length, own.join(" ")).toBeLessThanOrEqual(builtins);
    expect(loaded.files.length, loaded.files.join(" ")).toBeLessThanOrEqual(files);
  },
);

test("the probe sees what a program loads", { timeout: 120_000 }, async () => {
  const [empty, echo] = await Promise.all([nothing(), loadsOf({ http: false }, built("tooling/bench/dist/echo-stdio.js"), [])]);
  expect(echo.files).toEqual([expect.stringMatching(/echo-stdio\.js$/)]);
  expect(echo.builtins).toEqual(expect.arrayContaining(["net", "stream"]));
  expect(empty.builtins).not.toContain("net");
  expect(empty.builtins).toContain("fs");
});
