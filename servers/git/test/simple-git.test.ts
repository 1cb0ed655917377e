// A second witness beside git's own words: simple-git, which reads the same repository with a reader of its own.
import { connectTo, tempFolder } from "@oarlock/testing";
import { simpleGit } from "simple-git";
import { expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { targetOf } from "./support/target.ts";

interface Change {
  readonly path: string;
}

/** What the tools below give, as their schemas say. */
interface Reply {
  readonly branch: string;
  readonly staged: readonly Change[];
  readonly unstaged: readonly Change[];
  readonly untracked: readonly string[];
  readonly commits: readonly { readonly hash: string }[];
}

test("matches simple-git in status, branches and history", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("clone"), { "a.txt": "1\n", "b.txt": "2\n", "dir/c d.txt": "3\n" });
  repository.commit("A second one", { "e.txt": "4\n" });
  repository.git("branch", "topic");
  repository.write({ "a.txt": "changed\n", "new file.txt": "new\n", "dir/staged.txt": "staged\n" });
  repository.git("add", "dir/staged.txt");
  repository.git("rm", "--quiet", "b.txt");

  await using wired = await connectTo(await targetOf({ repositories: [repository.path] }));
  const reply = async (name: string): Promise<Reply> =>
    (await wired.client.call(name, { repo_path: repository.path })).structuredContent as unknown as Reply; // each has its part of it
  const witness = simpleGit({ baseDir: repository.path });

  const [status, seen] = [await reply("git_status"), await witness.status()];
  const paths = (changes: readonly Change[]): string[] => changes.map(({ path }) => path).toSorted();
  expect(status.branch).toBe(seen.current);
  expect(status.untracked).toEqual(seen.not_added);
  expect(paths(status.unstaged)).toEqual(seen.modified.toSorted());
  expect(paths(status.staged)).toEqual([...seen.created, ...seen.deleted].toSorted());

  const [log, history] = [await reply("git_log"), await witness.log()];
  expect(log.commits.map(({ hash }) => hash)).toEqual(history.all.map(({ hash }) => hash));

  const branches = (await wired.client.call("git_branch", { repo_path: repository.path, branch_type: "local" })).content;
  const local = await witness.branchLocal();
  const [text] = branches as { text: string }[]; // one block of text
  expect(
    text?.text
      .split("\n")
      .map((line) => line.slice(2))
      .toSorted(),
  ).toEqual(local.all.toSorted());
});
