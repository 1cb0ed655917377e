// No reply is over its bound, in small; with --lean no text appears twice; and no call waits for a slow one.
import { existsSync, writeFileSync } from "node:fs";
import { needs, tempFolder, type TempFolder, waitUntil, withMode } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLargeRepository, testReplySizes } from "../support/reply-sizes.ts";
import type { TestRepository } from "../support/repository.ts";
import { world } from "../support/world.ts";

describe("with a small --max-result-bytes", () => {
  let folder: TempFolder;
  let repository: TestRepository;
  beforeAll(() => {
    folder = tempFolder();
    repository = makeLargeRepository(folder.at("project"), 0.05);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  testReplySizes(() => repository, 100_000);
});

test("answers a plain call while a slow one runs", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const [begun, go] = [folder.at("begun"), folder.at("go")];
  const script = `#!/bin/sh\ncase " $* " in *" blame "*) touch '${begun}'; until [ -e '${go}' ]; do sleep 0.02; done ;; esac\nexec git "$@"\n`;
  folder.write({ "slow-git": withMode(0o755, script) });
  await using at = await world({ tree: { "a.txt": "a\n" }, git: folder.at("slow-git") });
  const replies: string[] = [];
  const slow = at.call("git_blame", { path: "a.txt" }).then(() => replies.push("slow"));
  await waitUntil(
    () => existsSync(begun),
    (exists) => exists,
  );
  await at.call("git_branch", { limit: 1 }).then(() => replies.push("plain"));
  writeFileSync(go, "");
  await slow;
  expect(replies).toEqual(["plain", "slow"]);
});

test("leaves out of the structured result with --lean any text that the reply has", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, lean: true });
  at.repository.write({ "a.txt": "b\n" });
  expect((await at.call("git_diff_unstaged")).data).toEqual({
    totals: { files: 1, additions: 1, deletions: 1 },
    omitted: [],
    truncated: false,
  });
  expect((await at.call("git_log")).data).toEqual({ truncated: false });
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main", head: at.repository.git("rev-parse", "HEAD") });
});
