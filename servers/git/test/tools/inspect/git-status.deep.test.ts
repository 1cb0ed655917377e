// git_status of submodules, which git adds by scripts of many processes.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../../support/repository.ts";
import { worldOf } from "../../support/world.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n" };

test("reports changes inside submodules as git does, and names unreadable submodules", async () => {
  await using folder = tempFolder();
  const inner = makeRepository(folder.at("inner"), { "i.txt": "i\n" });
  const repository = makeRepository(folder.at("project"), FILES);
  for (const name of ["clean", "edited", "grown", "moved", "unsafe"])
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, name);
  repository.commit("with submodules");
  repository.write({ "edited/i.txt": "edited\n", "grown/new.txt": "n\n", "moved/i.txt": "moved\n" });
  repository.git("-C", "moved", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-am", "moved");
  repository.write({ "moved/new.txt": "n\n" });
  await using at = await worldOf(folder, repository);

  const { data, text } = await at.call("git_status");
  const output = repository.git("status").split("\n");
  expect(text.split("\n").filter((line) => line.startsWith("\t"))).toEqual(output.filter((line) => line.startsWith("\t")));
  expect(data["unstaged"]).toEqual([
    { path: "edited", status: "modified", submodule: ["modified content"] },
    { path: "grown", status: "modified", submodule: ["untracked content"] },
    { path: "moved", status: "modified", submodule: ["new commits", "untracked content"] },
  ]);
  expect((await at.call("git_diff_unstaged")).text).toContain("[submodule edited has modified content, which this diff leaves out:");
  expect((await at.call("git_diff_staged")).text).not.toContain("[submodule");
  expect((await at.call("git_add", { files: ["edited"] })).text).toContain("Nothing was new");

  repository.git("-C", "unsafe", "config", "hook.x.command", "touch MARK");
  repository.write({ "unsafe/i.txt": "edited\n" });
  const refused = await at.call("git_status");
  expect(refused.text).toContain("[not looked into: submodule unsafe; git_status with its path as repo_path gives the reason]");
  expect(refused.data["uninspected"]).toEqual(["unsafe"]);
  expect(await at.failure("git_status", { repo_path: "project/unsafe" })).toContain("hook.x.command");
});

test("reports a submodule inside a submodule, up to the limit", async () => {
  await using folder = tempFolder();
  const deepest = makeRepository(folder.at("deepest"), { "i.txt": "i\n" });
  const middle = makeRepository(folder.at("middle"), { "m.txt": "m\n" });
  const allow = ["-c", "protocol.file.allow=always"];
  middle.git(...allow, "submodule", "--quiet", "add", deepest.path, "deepest");
  middle.commit("with submodule");
  const repository = makeRepository(folder.at("project"), FILES);
  repository.git(...allow, "submodule", "--quiet", "add", middle.path, "middle");
  repository.git(...allow, "submodule", "--quiet", "update", "--init", "--recursive");
  repository.commit("with submodules");
  await using at = await worldOf(folder, repository);
  expect((await at.call("git_status")).data).toMatchObject({ unstaged: [] });
  repository.write({ "middle/deepest/i.txt": "edited\n" });
  expect((await at.call("git_status")).data).toMatchObject({ unstaged: [{ path: "middle", submodule: ["modified content"] }] });
  repository.write({ "a.txt": "edited\n" });
  expect((await at.call("git_status", { limit: 1 })).data).toMatchObject({ unstaged: [{ path: "a.txt" }], omitted: 1 });
});
