// --audit on a real process: calls that wait for each other each have what they have changed first.
import { realpathSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { bin } from "./support/target.ts";

test("records repository and branch first for each of many concurrent calls", async () => {
  await using folder = tempFolder();
  const repositories = ["one", "two"].map((name) => makeRepository(folder.at(name), { "a.txt": "a\n" }));
  const calls = repositories.flatMap(({ path }) => ["x", "y", "z"].map((branch) => ({ repo_path: path, branch_name: branch })));
  {
    const served = repositories.flatMap(({ path }) => ["--repository", path]);
    await using wired = await connectTo(bin(["--audit", folder.at("audit.jsonl"), ...served]));
    await Promise.all(calls.map((args) => wired.client.call("git_create_branch", args)));
  }
  const lines = folder.read("audit.jsonl").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as { touched: string[] }); // the format under test
  const first = new Set(entries.map(({ touched }) => touched.slice(0, 2).join(" ")));
  expect(first).toEqual(new Set(calls.map(({ repo_path: path, branch_name: branch }) => `${realpathSync(path)} ${branch}`)));
});
