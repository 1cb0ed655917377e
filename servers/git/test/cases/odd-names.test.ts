// Names that are not UTF-8, which a repository may bring along: no text stands for them, so what looks at the disk needs their bytes
// (rules V1, V3, P2, G9). Only Linux has such files.
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { TestRepository } from "../support/repository.ts";
import { world, type World } from "../support/world.ts";

/** The path in the repository, byte by byte: "d\xff". */
const at = (repository: TestRepository, path: string): Buffer => Buffer.from(`${repository.path}/${path}`, "latin1");

/** A tracked `d\xff/secret.txt`, whose folder has become a link that leads out. */
async function ledOut(): Promise<World> {
  const here = await world({ tree: { "f.txt": "one\n" } });
  const { repository, folder } = here;
  const blob = repository.raw(["hash-object", "-w", "--stdin"], { input: "plain\n" }).toString().trim();
  repository.raw(["update-index", "-z", "--index-info"], { input: Buffer.from(`100644 ${blob}\td\xff/secret.txt\0`, "latin1") });
  repository.git("commit", "--quiet", "-m", "odd");
  mkdirSync(folder.at("OUT"));
  writeFileSync(folder.at("OUT/secret.txt"), "canary\n");
  symlinkSync(folder.at("OUT"), at(repository, "d\xff"));
  return here;
}

describe("names that are not UTF-8", needs("names of any bytes"), () => {
  test("GIT-16 PATH-07 never follows a link out of the repository, whatever its name", async () => {
    await using here = await ledOut();
    for (const args of [{ pattern: "canary" }, { pattern: "canary", paths: ["d\\xFF"] }])
      expect((await here.call("git_grep", args)).text).toBe("No matches");
    for (const [tool, args] of [
      ["git_blame", { path: "d\\xFF/secret.txt" }],
      ["git_add", { files: ["d\\xFF/secret.txt"] }],
    ] as const)
      expect(await here.failure(tool, args)).toBe("Access denied - path beyond a symbolic link: d\\xFF/secret.txt");
  });

  test("GIT-16 keeps a byte name apart from the text that looks like it", async () => {
    await using here = await world({ tree: { f: "one\n" } });
    const { repository, folder } = here;
    const blob = repository.raw(["hash-object", "-w", "--stdin"], { input: "plain\n" }).toString().trim();
    repository.raw(["update-index", "-z", "--index-info"], { input: Buffer.from(`100644 ${blob}\tA/caf\xe9\0`, "latin1") });
    mkdirSync(folder.at("OUT"));
    writeFileSync(Buffer.from(folder.at("OUT/caf\xe9"), "latin1"), "canary\n");
    symlinkSync(folder.at("OUT"), at(repository, "A"));
    expect(await here.failure("git_blame", { path: "A/caf\\xE9" })).toContain("path beyond a symbolic link");
    expect(await here.failure("git_blame", { path: "\\x41/caf\\xE9" })).toBe("git tracks no \\x41/caf\\xE9 here. Check the path.");
  });

  test("GIT-10 V1 never follows a link with such a name in the git directory", async () => {
    for (const place of [".git/refs/heads/\xff", ".git/refs/heads/\xff/inner"]) {
      await using here = await ledOut();
      const { repository, folder } = here;
      await here.call("git_status");
      if (place.endsWith("inner")) mkdirSync(at(repository, ".git/refs/heads/\xff"));
      symlinkSync(folder.at("OUT"), at(repository, place));
      expect(await here.failure("git_branch")).toContain("holds the symbolic link refs/heads/");
    }
  });

  test("V1 lists branches with such names", async () => {
    await using here = await world({ tree: { f: "one\n" } });
    const { repository } = here;
    mkdirSync(at(repository, ".git/refs/heads/\xe9"));
    writeFileSync(at(repository, ".git/refs/heads/\xe9/x"), `${repository.git("rev-parse", "HEAD")}\n`);
    expect((await here.call("git_branch")).text).toContain("* main");
    expect((await here.call("git_status")).text).toContain("nothing to commit");
  });

  test("GIT-23 GIT-28 never enters a submodule with such a name", async () => {
    await using here = await world({ tree: { f: "one\n" } });
    const { repository, folder } = here;
    const mark = folder.at("MARK");
    repository.raw(["init", "--quiet", "-b", "main", "plain"]);
    const below = new TestRepository(`${repository.path}/plain`);
    const id = below.commit("s", { f: "one\n" });
    below.git("config", "filter.x.clean", `touch '${mark}'; cat`);
    writeFileSync(`${below.path}/.git/info/attributes`, "f filter=x\n");
    writeFileSync(`${below.path}/f`, "two\n");
    renameSync(below.path, at(repository, "s\xff"));
    repository.raw(["update-index", "-z", "--index-info"], { input: Buffer.from(`160000 ${id}\ts\xff\0`, "latin1") });
    repository.git("commit", "--quiet", "-m", "with a submodule");
    for (const [tool, args] of [
      ["git_add", { files: ["."] }],
      ["git_stash", { action: "push" }],
      ["git_commit", { message: "m", allow_empty: true }],
    ] as const)
      expect(await here.failure(tool, args)).toBe(
        "Refused: the name of submodule s\\xFF is not UTF-8, so it cannot be checked. Rename it.",
      );
    for (const tool of ["git_status", "git_diff_unstaged", "git_log"]) await here.call(tool);
    expect(existsSync(mark)).toBe(false);
  });

  test.each(["..\\x2F\\xE9", "\\x2E\\x2E/\\xE9", "f\\x2F..\\x2F..\\x2F\\xE9", "\\x2Egit/\\xE9", "caf\\xE9\\x00f", "\\x00\\xE9"])(
    "GIT-10 V1 reads an escape in %s as no separator, dot or end of a name",
    async (path) => {
      await using here = await world({ tree: { f: "one\n" } });
      const { repository, folder } = here;
      for (const place of ["\xe9", "project/.git/\xe9", "project/caf\xe9"])
        writeFileSync(Buffer.from(folder.at(place), "latin1"), "canary\n");
      repository.write({ f: "two\n" });
      for (const [tool, args] of [
        ["git_add", { files: [path] }],
        ["git_blame", { path }],
        ["git_show", { revision: "HEAD", path }],
      ] as const)
        expect(await here.failure(tool, args)).toMatch(/did not match any files$|^git tracks no|^There is no/);
      expect(repository.git("diff", "--cached", "--name-only")).toBe("");
    },
  );

  test("shows a name that looks like the text of another in a form that it accepts", async () => {
    await using here = await world({ tree: { f: "one\n" } });
    const { repository } = here;
    const names = ["\xe9", "\\xE9", "\\x5CxE9", "\\x41", "a\\b"];
    for (const name of names) writeFileSync(at(repository, name), `${Buffer.from(name, "latin1").toString("hex")}\n`);
    const { data } = await here.call("git_status");
    const untracked = data["untracked"] as string[];
    expect(untracked.toSorted()).toEqual(["\\x41", "\\x5Cx5CxE9", "\\x5CxE9", "\\xE9", "a\\b"].toSorted());
    expect((await here.call("git_add", { files: untracked })).data["staged"]).toEqual(untracked);
    await here.call("git_commit", { message: "odd" });
    const contents = await Promise.all(
      untracked.map(async (path) => (await here.call("git_show", { revision: "HEAD", path })).text.trim()),
    );
    expect(contents.toSorted()).toEqual(names.map((name) => Buffer.from(name, "latin1").toString("hex")).toSorted());
  });

  test("accepts paths in git_add as git_status shows them", async () => {
    await using here = await world({ tree: { f: "one\n" } });
    writeFileSync(at(here.repository, "caf\xe9"), "content\n");
    writeFileSync(at(here.repository, "n\nl\xe9"), "content\n");
    for (const args of [{ files: ["."], dry_run: true }, { files: ["caf\\xE9", "n\nl\\xE9"] }])
      expect((await here.call("git_add", args)).data["staged"]).toEqual(["caf\\xE9", "n\nl\\xE9"]);
  });

  test("reads a file with such a name in git_blame", async () => {
    await using here = await world({ tree: { f: "one\n" } });
    const { repository } = here;
    writeFileSync(at(repository, "caf\xe9"), "content\n");
    repository.commit("odd");
    expect((await here.call("git_blame", { path: "caf\\xE9" })).text).toContain("1\tcontent");
  });
});
