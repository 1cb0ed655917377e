// --audit on a real process: calls that wait for each other each have the real path of their own.
import { realpathSync } from "node:fs";
import { connectTo, linkTo, tempFolder, writeTree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { bin } from "./support/target.ts";

test("records the real path first for each of many concurrent calls", async () => {
  await using folder = tempFolder();
  const names = ["a", "b", "c", "d"];
  writeTree(folder.path, { files: { one: "", "x:": {} }, ...Object.fromEntries(names.map((name) => [name, linkTo("files/one")])) });
  {
    await using wired = await connectTo(bin(["--audit", folder.at("audit.jsonl"), folder.path]));
    const write = (path: string): Promise<unknown> => wired.client.call("write_file", { path: `${folder.path}/${path}`, content: "x" });
    // The links wait for one lock, the others do not.
    await Promise.all([...names, ...names.map((name) => `new-${name}`), "files/x://../victim"].map(write));
  }
  const lines = folder.read("audit.jsonl").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { outcome: string; touched: string[] }); // the format under test
  const real = realpathSync(folder.path);
  const first = new Set(entries.map(({ touched }) => touched.slice(0, 2).join(" ")));
  expect(first).toEqual(
    new Set([
      ...names.map((name) => `${real}/files/one ${folder.path}/${name}`),
      ...names.map((name) => `${real}/new-${name}`),
      `${real}/files/victim ${folder.path}/files/x://../victim`,
    ]),
  );
  expect(entries.every(({ outcome }) => outcome === "done")).toBe(true);
});
