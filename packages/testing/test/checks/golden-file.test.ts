import { pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { expectGolden, jsonBytes, tempFolder } from "@oarlock/testing";

afterEach(() => void vi.unstubAllEnvs());

test("compares a value with the golden file", async () => {
  await using folder = tempFolder({ "a.json": '{"b":[1]}' });
  const file = pathToFileURL(folder.at("a.json"));
  expectGolden(file, { b: [1] });
  expect(() => expectGolden(file, { b: [2] })).toThrow("deeply equal");
});

test("writes the golden file with UPDATE_GOLDEN=1", async () => {
  await using folder = tempFolder();
  vi.stubEnv("UPDATE_GOLDEN", "1");
  expectGolden(pathToFileURL(folder.at("new/a.json")), { b: 1 });
  expect(folder.read("new/a.json")).toBe('{\n  "b": 1\n}\n');
});

test("measures the JSON of a value in UTF-8 bytes", () => {
  expect(jsonBytes(["é"])).toBe(6);
});
