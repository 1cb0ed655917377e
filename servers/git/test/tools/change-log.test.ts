// Log entries of changing tools.
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { targetOf } from "../support/target.ts";

test("logs each change with the first line of its reply, and no read or failure", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const entries: string[] = [];
  const options = {
    revision: "2025-11-25",
    onLog: ({ level, data }: { level: string; data: unknown }) => entries.push(`${level}: ${String(data)}`),
  };
  await using wired = await connectTo(await targetOf({ repositories: [repository.path] }), options);
  await wired.client.setLevel("info");
  await wired.client.call("git_status");
  await wired.client.call("git_create_branch", { branch_name: "topic" });
  await wired.client.call("git_create_branch", { branch_name: "topic" });
  await wired.client.call("git_stash", { action: "push" });
  await expect
    .poll(() => entries)
    .toEqual(["info: git_create_branch: Created branch 'topic' from 'main'", "info: git_stash: There are no changes to save"]);
});
