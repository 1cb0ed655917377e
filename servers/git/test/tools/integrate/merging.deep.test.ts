// What a merge is called, when it goes forward, and how it is taken back.
import { existsSync, readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { parted } from "../../support/parted-branches.ts";
import { makeRepository } from "../../support/repository.ts";
import { worldOf } from "../../support/world.ts";

describe("a merged branch", () => {
  test("gives conflict markers and the message its name", async () => {
    await using at = await parted();
    const { repository } = at;
    await at.call("git_merge", { revision: "other" });
    expect(readFileSync(`${repository.path}/f.txt`, "utf8")).toBe("1\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n3\n");
    await at.call("git_merge", { step: "abort" });
    repository.git("checkout", "--quiet", "-b", "aside", "other~2");
    repository.commit("new", { "h.txt": "h\n" });
    repository.git("update-ref", "refs/remotes/origin/topic", "aside");
    repository.git("checkout", "--quiet", "main");
    await at.call("git_merge", { revision: "origin/topic" });
    expect(repository.git("log", "-1", "--format=%s")).toBe("Merge remote-tracking branch 'origin/topic'");
  });

  test("gives its id where the name leads to another commit or to several", async () => {
    await using at = await parted();
    const { repository } = at;
    const id = repository.git("rev-parse", "other");
    repository.git("tag", "-a", "-m", "a tag", "other", "main");
    repository.write({ ".git/FETCH_HEAD": `${id}\t\tbranch 'x' of y\n` });
    for (const revision of ["refs/heads/other^0", "FETCH_HEAD", id]) {
      await at.call("git_merge", { revision });
      expect(readFileSync(`${repository.path}/f.txt`, "utf8"), revision).toContain(`>>>>>>> ${id}\n`);
      await at.call("git_merge", { step: "abort" });
    }
    // Plain git takes the tag for it, too.
    expect((await at.call("git_merge", { revision: "other" })).data).toMatchObject({
      state: "done",
      head: repository.git("rev-parse", "main"),
    });
  });
});

describe("a merge that could go forward", () => {
  const TABLE = [
    ["by default", "", "", "forward"],
    ["with merge.ff = false of the repository", "[merge]\n\tff = false\n", "", "commit"],
    ["with merge.ff = false of the user", "", "[merge]\n\tff = no\n", "commit"],
    ["where the repository says otherwise", "[merge]\n\tff = true\n", "[merge]\n\tff = false\n", "forward"],
    ["with options of the branch", '[branch "main"]\n\tmergeOptions = --no-ff\n', "", "commit"],
  ] as const;

  test.each(TABLE)("is made as the configuration says: %s", async (_what, own, user, outcome) => {
    await using folder = tempFolder({ home: { ".gitconfig": user } });
    const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
    repository.git("checkout", "--quiet", "-b", "other");
    const theirs = repository.commit("theirs", { "b.txt": "b\n" });
    repository.git("checkout", "--quiet", "main");
    repository.write({ ".git/config": `${readFileSync(`${repository.path}/.git/config`, "utf8")}${own}` });
    await using at = await worldOf(folder, repository, { env: { HOME: folder.at("home") } });
    const { data } = await at.call("git_merge", { revision: "other" });
    expect(data["head"] === theirs ? "forward" : "commit").toBe(outcome);
    expect(repository.git("log", "-1", "--format=%s")).toBe(outcome === "forward" ? "theirs" : "Merge branch 'other'");
  });

  test("is the only one with merge.ff = only", async () => {
    await using at = await parted();
    at.repository.git("config", "merge.ff", "only");
    expect(await at.failure("git_merge", { revision: "other" })).toContain("fast-forward");
    expect((await at.call("git_merge", { revision: "other", ff: "no" })).data).toMatchObject({ state: "conflict" });
  });

  test("reads no merge driver", async () => {
    await using at = await parted();
    at.repository.git("config", "merge.x.driver", "touch ran; :");
    at.repository.git("checkout", "--quiet", "-b", "behind", "other~1");
    await at.call("git_merge", { revision: "other", ff: "only" });
    expect(at.repository.git("rev-parse", "HEAD")).toBe(at.repository.git("rev-parse", "other"));
  });
});

describe("going back", () => {
  const STOPPED = [
    ["git_merge", { revision: "other" }],
    ["git_rebase", { upstream: "other" }],
    ["git_cherry_pick", { revisions: ["other~1", "other"] }],
    ["git_revert", { revisions: ["HEAD~2", "HEAD~3"] }],
  ] as const;

  test.each(STOPPED)("%s goes back whatever merges, later picks and submodules would read", async (tool, args) => {
    await using at = await parted();
    const { repository } = at;
    if (tool === "git_revert") repository.commit("more", { "f.txt": "1\nours too\n3\n" });
    const inner = makeRepository(`${repository.path}/sub`, { "i.txt": "i\n" });
    repository.commit("with a repository inside");
    const before = repository.git("rev-parse", "HEAD");
    await at.call(tool, args);
    const ran = `${repository.path}/.git/ran`;
    repository.git("config", "merge.x.driver", `touch ${ran}; :`);
    repository.git("config", "add.unheardOf", "1");
    repository.git("config", "init.unheardOf", "1");
    repository.write({ ".gitattributes": "* merge=x\n" });
    inner.git("config", "filter.x.clean", `touch ${ran}`);
    expect((await at.call(tool, { step: "abort" })).data).toMatchObject({ state: "aborted", head: before });
    expect(existsSync(ran)).toBe(false);
    expect(await at.failure("git_merge", { revision: "other" })).toContain("merge.x.driver");
  });

  test("is refused where it merges the changes that were put aside", async () => {
    await using at = await parted();
    at.repository.write({ "g.txt": "put aside\n" });
    at.repository.loosely("merge", "--autostash", "other");
    at.repository.git("config", "merge.x.driver", ":");
    const refused = "could run something when files are merged: merge.x.driver.";
    expect(await at.failure("git_merge", { step: "abort" })).toContain(refused);
    at.repository.git("config", "--remove-section", "merge.x");
    expect((await at.call("git_merge", { step: "abort" })).data).toMatchObject({ state: "aborted" });
    expect(readFileSync(`${at.repository.path}/g.txt`, "utf8")).toBe("put aside\n");
  });
});
