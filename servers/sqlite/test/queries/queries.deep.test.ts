// Named queries on the command line: --queries, the toolset queries, and other transports.
import { writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { afterAll, expect, test } from "vitest";
import { makeDatabase, SHOP } from "../support/databases.ts";
import { runToExit } from "../support/run-to-exit.ts";
import { bin } from "../support/target.ts";
import { expectRowsAndErrors, METADATA } from "./shop-metadata.ts";

const NAMES = ["customer_names", "orders_of", "kinds", "numbers", "endless", "columns_of", "stale"];

const folder = tempFolder();
const file = makeDatabase(folder.at("shop.db"), SHOP);
const metadata = folder.at("metadata.json");
writeFileSync(metadata, JSON.stringify(METADATA));
writeFileSync(folder.at("text.json"), "title: a shop");
writeFileSync(folder.at("taken.json"), JSON.stringify({ databases: { shop: { queries: { read_query: "SELECT 1" } } } }));
afterAll(() => folder[Symbol.asyncDispose]());

test.each([
  ["2025-11-25", "stdio"],
  ["2026-07-28", "http"],
] as const)("returns rows and errors of a named query — %s over %s", (revision, transport) =>
  expectRowsAndErrors(bin(["--toolsets=default,queries", `--queries=${metadata}`, file]), { revision, transport }),
);

test.each<[string, string[], string]>([
  ["a file that is not JSON", ["--queries=text.json"], "Error: --queries text.json: Invalid JSON ("],
  ["--toolsets queries without --queries", ["--toolsets=queries"], "Error: --toolsets queries needs --queries FILE"],
  [
    "a file with the name of a tool",
    ["--queries=taken.json"],
    "Error: Invalid query read_query of shop: a tool of this server has the same name. Rename the query.",
  ],
])("fails to start with an error for %s on the command line", async (_what, args, sentence) => {
  const { code, stderr } = await runToExit([...args, file], folder.path);
  expect(stderr.split("\n")[0]).toContain(sentence);
  expect(code).toBe(2);
});

const tools = async (...args: readonly string[]): Promise<string[]> => {
  await using some = await connectTo(bin([...args, file]));
  return (await Array.fromAsync(some.client.tools())).map(({ name }) => name);
};

test("omits named queries without their toolset, and warns with its name", async () => {
  expect(await tools(`--queries=${metadata}`)).not.toContain("numbers");
  expect((await runToExit([`--queries=${metadata}`, file], folder.path)).stderr).toContain(
    "--queries has no effect without --toolsets default,queries",
  );
});

test("offers named queries by toolset or name, also with --read-only", async () => {
  expect(await tools(`--queries=${metadata}`, "--toolsets=queries", "--read-only")).toEqual(NAMES);
  expect(await tools(`--queries=${metadata}`, "--tools=numbers,read_query")).toEqual(["read_query", "numbers"]);
});
