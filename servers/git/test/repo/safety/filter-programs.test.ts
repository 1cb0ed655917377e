// Which settings filters use, and which filters have a program.
import { expect, test } from "vitest";
import { filterNames, filterSettings } from "../../../src/repo/safety/filter-programs.ts";

test("reads settings of filters and of Git LFS, and a missing value as true", () => {
  const entries = [
    { key: "filter.lfs.clean", value: "git-lfs clean" },
    { key: "filter.lfs.required", value: undefined },
    { key: "lfs.url", value: "" },
    { key: "core.filter.x", value: "no" },
    { key: "filterx.y", value: "no" },
    { key: "lfsx.y", value: "no" },
  ];
  expect(filterSettings(entries)).toEqual([
    ["filter.lfs.clean", "git-lfs clean"],
    ["filter.lfs.required", "true"],
    ["lfs.url", ""],
  ]);
});

test("recognizes a filter with a program for it in a setting", () => {
  const named = (key: string, value: string | undefined = "program") => [...filterNames([{ key, value }])];
  expect(["clean", "smudge", "process"].map((command) => named(`filter.a.b\nc.${command}`))).toEqual([["a.b\nc"], ["a.b\nc"], ["a.b\nc"]]);
  for (const key of ["filter.a.required", "filter.clean", "filter.a.cleaner", "x.filter.a.clean"]) expect(named(key)).toEqual([]);
  for (const value of ["", undefined]) expect([...filterNames([{ key: "filter.a.clean", value }])]).toEqual([]);
});
