// git_commit with amend and revision: an older commit that was not pushed is reworded, or takes what is staged.
import { expect, test } from "vitest";
import { world, type World, type WorldOptions } from "../../support/world.ts";

async function history(options: WorldOptions = {}): Promise<World> {
  const at = await world({ allowDiscard: true, ...options, tree: { "a.txt": "a\n", "b.txt": "b\n" } });
  const { repository } = at;
  repository.commit("Add c", { "c.txt": "c\n" }, { GIT_AUTHOR_NAME: "Bo Lind" });
  repository.commit("Change a", { "a.txt": "A\n" });
  repository.commit("Change a again", { "a.txt": "A\nA\n" });
  return at;
}

const subjects = ({ repository }: World): string[] => repository.git("log", "--format=%s").split("\n");

test("rewords an older commit, keeps its author and the files, and names the way back", async () => {
  await using at = await history();
  const { repository } = at;
  const [before, tree] = repository.git("rev-parse", "HEAD", "HEAD^{tree}").split("\n");
  repository.write({ "b.txt": "not staged\n" });
  const { text, data } = await at.call("git_commit", { amend: true, revision: "HEAD~2", message: "Add the letter c\n\nWhy." });
  expect(subjects(at)).toEqual(["Change a again", "Change a", "Add the letter c", "first"]);
  expect(repository.git("log", "-1", "--format=%an|%ad|%b", "HEAD~2")).toMatch(/^Bo Lind\|.*2023.*\|Why\.\n$/);
  expect(repository.git("rev-parse", "HEAD^{tree}")).toBe(tree);
  expect(repository.git("status", "--porcelain")).toBe(" M b.txt");
  expect(text).toContain(`To go back: git_reset with revision ${before} and mode soft`);
  expect(data).toMatchObject({
    hash: repository.git("rev-parse", "HEAD~2"),
    head: repository.git("rev-parse", "HEAD"),
    previousHead: before,
  });
  expect(repository.git("rev-parse", "HEAD@{1}")).toBe(before);
  expect(repository.loosely("fsck", "--full", "--strict", "--no-dangling")).toBe("");
  await at.call("git_reset", { revision: before, mode: "soft" });
  expect(subjects(at)[2]).toBe("Add c");
});

test("puts what is staged into an older commit, with its old message", async () => {
  await using at = await history();
  const { repository } = at;
  repository.write({ "c.txt": "c, fixed\n" }).git("add", "c.txt");
  await at.call("git_commit", { amend: true, revision: "HEAD~2", message: "" });
  expect(subjects(at)).toEqual(["Change a again", "Change a", "Add c", "first"]);
  expect(repository.git("show", "HEAD~2:c.txt")).toBe("c, fixed");
  expect(repository.git("show", "--format=", "--name-only", "HEAD~1")).toBe("a.txt");
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(repository.git("show", "HEAD:a.txt")).toBe("A\nA");
});

test("rewrites merges after the commit, the first commit too, and other encodings byte for byte", async () => {
  await using at = await history();
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "side", "HEAD~1");
  repository.raw(["-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--quiet", "--allow-empty", "-F", "-"], {
    input: Buffer.from("caf\xe9\n", "latin1"),
  });
  repository.git("checkout", "--quiet", "main");
  repository.git("merge", "--quiet", "--no-edit", "side");
  await at.call("git_commit", { amend: true, revision: "HEAD~4", message: "The very first" });
  expect(repository.git("log", "--format=%s", "-1", "HEAD~4")).toBe("The very first");
  expect(repository.git("rev-list", "--count", "HEAD")).toBe("6");
  expect(repository.raw(["cat-file", "commit", "HEAD^2"]).toString("latin1")).toMatch(/\nencoding ISO-8859-1\n\ncaf\xe9\n$/);
  // The branch keeps the old commits.
  expect((await at.call("git_commit", { amend: true, revision: "HEAD~4", message: "again" })).text).not.toContain("stay in");
});

test("refuses a pushed commit, one of another branch, and what does not apply, and changes nothing", async () => {
  await using at = await history();
  const { repository } = at;
  const amend = { amend: true, message: "x" };
  repository.git("update-ref", "refs/remotes/origin/main", "HEAD~2");
  repository.git("branch", "other", "HEAD");
  repository.git("checkout", "--quiet", "-b", "apart", "HEAD~1");
  repository.commit("apart", { "z.txt": "z\n" });
  const before = repository.git("for-each-ref", "--format=%(refname) %(objectname)");
  expect(await at.failure("git_commit", { ...amend, revision: "HEAD~2" })).toMatch(/^Commit [0-9a-f]{12} is pushed: origin\/main has it/);
  expect(await at.failure("git_commit", { ...amend, revision: "other" })).toMatch(
    /is not part of the current branch: main has it\. Switch to that branch with git_checkout/,
  );
  expect(await at.failure("git_commit", { message: "x", revision: "HEAD~1" })).toMatch(/^revision goes with amend only/);
  expect(await at.failure("git_commit", { amend: true, message: "", revision: "HEAD~1" })).toMatch(/^Nothing would change/);
  repository.write({ "z.txt": "zz\n" }).git("add", "z.txt");
  expect(await at.failure("git_commit", { ...amend, revision: "HEAD~1" })).toMatch(
    /^What is staged does not apply to commit [0-9a-f]{12}, .* nothing was changed/,
  );
  expect(repository.git("for-each-ref", "--format=%(refname) %(objectname)")).toBe(before);
  repository.git("reset", "--quiet", "--hard");
  expect((await at.call("git_commit", { ...amend, revision: "HEAD~1" })).text).toContain("The old commits stay in: main, other");
});

test("asks before it rewrites", async () => {
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return { action: "accept" as const, content: { confirm: false } };
  };
  await using at = await history({ allowDiscard: false, elicit });
  expect(await at.failure("git_commit", { amend: true, revision: "HEAD~1", message: "x" })).toContain("the user declined");
  expect(asked).toEqual([
    expect.stringMatching(/^Change commit [0-9a-f]{12} and 1 commit after it of the repository project\? Its commits can be brought back/),
  ]);
  expect(subjects(at)[1]).toBe("Change a");
});

test("keeps the message of an amended last commit where none is given", async () => {
  await using at = await history();
  at.repository.write({ "b.txt": "B\n" }).git("add", "b.txt");
  await at.call("git_commit", { amend: true, message: "" });
  expect(subjects(at)[0]).toBe("Change a again");
});
