// L1: paths that git takes from files of its own directory, and from settings. None of them leads git out of the repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkTo, tempFolder, writeTree } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { worldOf, type World } from "../support/world.ts";

interface Ground extends World {
  readonly out: TestRepository;
}

/** A served repository `all/r`, and `out` beside the served folder. */
async function ground(prepare: (r: TestRepository, out: TestRepository) => void): Promise<Ground> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("all/r"), { "a.txt": "a\n" });
  const out = makeRepository(folder.at("out"), { "secret.txt": "CANARY\n" });
  prepare(repository, out);
  return { ...(await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], allowDiscard: true })), out };
}

/** Replaces a name in a file of the git directory by another one of the same length. */
function replaceName(r: TestRepository, file: string, name: string, other: string): void {
  const path = join(r.path, ".git", file);
  const bytes = readFileSync(path);
  expect(other.length).toBe(name.length);
  bytes.write(other, bytes.indexOf(name), "latin1");
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
}

/** Stages an entry as plain git would not. */
function stageAs(r: TestRepository, path: string, indexFile: () => string = () => "index"): void {
  const plain = `x${path.slice(1).replaceAll(/[./]/g, "x")}`;
  r.git("update-index", "--add", "--cacheinfo", `100644,${r.git("rev-parse", "HEAD:a.txt")},${plain}`);
  replaceName(r, indexFile(), plain, path);
}

const OUTSIDE = "Access denied - the index of r holds a path outside its work tree";

describe("L1 refuses an index with a path that leads outside", () => {
  test.each<[what: string, stage: (r: TestRepository, out: TestRepository) => void]>([
    ["by a climb", (r) => stageAs(r, "../../out/secret.txt")],
    ["by a climb in the middle", (r) => stageAs(r, "a/../../../out/secret.txt")],
    ["from the root", (r, out) => stageAs(r, join(out.path, "secret.txt"))],
    ["into the git directory", (r) => stageAs(r, ".git/config")],
    [
      "in an index of version 4",
      (r) => {
        r.git("update-index", "--index-version", "4");
        stageAs(r, "../../out/secret.txt");
      },
    ],
    [
      "in the shared part of a split index",
      (r) => {
        const plain = "xx/xx/out/secret.txt";
        r.git("update-index", "--add", "--cacheinfo", `100644,${r.git("rev-parse", "HEAD:a.txt")},${plain}`);
        r.git("update-index", "--split-index");
        const shared = readdirSync(join(r.path, ".git")).find((name) => name.startsWith("sharedindex."))!;
        replaceName(r, shared, plain, "../../out/secret.txt");
      },
    ],
  ])("refuses one %s", async (_what, stage) => {
    await using at = await ground(stage);
    for (const [tool, args] of [
      ["git_status", {}],
      ["git_diff_unstaged", {}],
      ["git_reset", { mode: "hard" }],
    ] as const)
      expect(await at.failure(tool, { ...args, repo_path: "r" })).toContain(OUTSIDE);
    expect(readFileSync(at.folder.at("out/secret.txt"), "utf8")).toBe("CANARY\n");
  });

  test("refuses one that appears while the server runs", async () => {
    await using at = await ground((r) => void r.commit("more", { "xx/xx/out/secret.txt": "x\n", "sub/deep/c.txt": "c\n" }));
    expect((await at.call("git_status", { repo_path: "r" })).text).toContain("working tree clean");
    replaceName(at.repository, "index", "xx/xx/out/secret.txt", "../../out/secret.txt");
    expect(await at.failure("git_diff_unstaged", { repo_path: "r" })).toContain(OUTSIDE);
  });
});

test("L1 reads no outside ref that HEAD names", async () => {
  await using at = await ground((r) => r.write({ ".git/HEAD": "ref: refs/heads/../../../../../out/.git/refs/heads/main\n" }));
  const id = at.out.git("rev-parse", "HEAD");
  for (const tool of ["git_status", "git_log", "git_branch"])
    expect(JSON.stringify(await at.client.call(tool, { repo_path: "r" }))).not.toContain(id);
});

test("L1 lists no foreign commit for a linked work tree", async () => {
  await using at = await ground((r, out) =>
    r.write({
      ".git/worktrees/x": { gitdir: `${r.path}x/.git\n`, HEAD: "ref: refs/heads/main\n", commondir: `${out.path}/.git\n` },
    }),
  );
  const answer = await at.failure("git_worktree", { repo_path: "r", action: "list" });
  expect(answer).toContain("Refused: the file worktrees/x/commondir in the git directory of r names files of another folder");
});

test("L1 reads no outside pack that a multi-pack index names", async () => {
  await using at = await ground((r, out) => {
    r.git("repack", "-adq");
    r.git("multi-pack-index", "write");
    const packs = join(r.path, ".git/objects/pack");
    const index = readdirSync(packs).find((name) => name.endsWith(".idx"))!;
    const name = "/p.idx".padStart(index.length - "../../../../../out".length, "/");
    replaceName(r, "objects/pack/multi-pack-index", index, `../../../../../out${name}`);
    for (const end of ["idx", "pack"]) writeFileSync(join(out.path, `p.${end}`), readFileSync(join(packs, index.replace("idx", end))));
    for (const file of readdirSync(packs)) if (file !== "multi-pack-index") rmSync(join(packs, file), { force: true });
  });
  expect(await at.failure("git_log", { repo_path: "r" })).toContain("Refused: the file objects/pack/multi-pack-index");
});

test("L1 refuses a multi-pack index that is overwritten in place while the server runs", async () => {
  await using at = await ground((r) => {
    r.git("repack", "-adq");
    r.git("multi-pack-index", "write");
  });
  await at.call("git_status", { repo_path: "r" });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await at.call("git_status", { repo_path: "r" });
  const file = "objects/pack/multi-pack-index";
  const index = readdirSync(join(at.repository.path, ".git/objects/pack")).find((name) => name.endsWith(".idx"))!;
  replaceName(at.repository, file, index, "../x".padEnd(index.length, "x"));
  expect(await at.failure("git_status", { repo_path: "r" })).toContain(`Refused: the file ${file}`);
});

test("says that a damaged multi-pack index can be removed", async () => {
  await using at = await ground((r) => {
    r.git("repack", "-adq");
    r.git("multi-pack-index", "write");
    writeFileSync(join(r.path, ".git/objects/pack/multi-pack-index"), Buffer.alloc(2000, 0xa5), { mode: 0o600 });
  });
  const refusal = await at.failure("git_branch", { repo_path: "r" });
  expect(refusal).toBe(
    "Damaged repository: the file objects/pack/multi-pack-index in the git directory of r cannot be read. Remove that file; packs have indexes of their own.",
  );
  rmSync(join(at.repository.path, ".git/objects/pack/multi-pack-index"), { force: true });
  expect((await at.call("git_branch", { repo_path: "r" })).text).toContain("* main");
});

test("L1 refuses a linked work tree whose common directory is overwritten while the server runs", async () => {
  await using at = await ground((r) => void r.git("worktree", "add", "-q", "../side", "-b", "side"));
  await new Promise((resolve) => setTimeout(resolve, 60));
  await at.call("git_status", { repo_path: "r" });
  at.repository.write({ ".git/worktrees/side/commondir": `${at.out.path}/.git\n` });
  expect(await at.failure("git_status", { repo_path: "r" })).toContain("Refused: the file worktrees/side/commondir");
});

test("reads a multi-pack index that git wrote", async () => {
  await using at = await ground((r) => {
    r.git("repack", "-adq");
    r.git("multi-pack-index", "write");
  });
  expect((await at.call("git_log", { repo_path: "r" })).text).toContain("first");
});

describe("L1 prunes no work tree", () => {
  test("keeps one outside the sandbox, which may exist", async () => {
    await using at = await ground((r) =>
      r.write({ ".git/worktrees/x": { gitdir: "/nonexistent/x/.git\n", HEAD: "ref: refs/heads/side\n", commondir: "../..\n" } }),
    );
    const answer = await at.failure("git_worktree", { repo_path: "r", action: "prune" });
    expect(answer).toContain("Access denied - a work tree of r lies outside the allowed repositories");
    expect(existsSync(join(at.repository.path, ".git/worktrees/x/HEAD"))).toBe(true);
  });

  test("keeps one that is a link to a folder of the user", async () => {
    await using at = await ground((r, out) => {
      writeTree(join(r.path, "../../precious"), { "a.txt": "mine\n" });
      mkdirSync(join(r.path, ".git/worktrees"));
      r.write({ ".git/worktrees/x": linkTo("../../../../precious") });
      expect(existsSync(join(out.path, "../precious/a.txt"))).toBe(true);
    });
    const answer = await at.failure("git_worktree", { repo_path: "r", action: "prune" });
    expect(answer).toContain("holds the symbolic link worktrees/x");
    expect(existsSync(at.folder.at("precious/a.txt"))).toBe(true);
  });

  test("prunes only missing ones inside the sandbox", async () => {
    await using at = await ground((r) => void r.git("worktree", "add", "-q", "../side", "-b", "side"));
    rmSync(at.folder.at("all/side"), { recursive: true });
    expect((await at.call("git_worktree", { repo_path: "r", action: "prune" })).text).toContain("Pruned 1 work trees");
  });
});

const parted = (r: TestRepository): void => {
  r.git("checkout", "-q", "-b", "side");
  r.commit("theirs", { "s.txt": "s\n" });
  r.git("checkout", "-q", "main");
  r.commit("ours", { "m.txt": "m\n" });
};

test("L1 runs no command from the format of a rebase plan", async () => {
  await using at = await ground((r, out) => {
    parted(r);
    r.git("config", "rebase.instructionFormat", `%s%nexec touch '${join(out.path, "mark")}'`);
  });
  await at.call("git_rebase", { repo_path: "r", step: "start", upstream: "side" });
  expect(existsSync(join(at.out.path, "mark"))).toBe(false);
});

test("L1 puts no outside file into a commit by a template setting", async () => {
  await using at = await ground((r, out) => {
    parted(r);
    r.git("merge", "--no-commit", "--quiet", "side");
    rmSync(join(r.path, ".git/MERGE_MSG"));
    r.git("config", "commit.template", join(out.path, "secret.txt"));
    r.git("config", "commit.cleanup", "verbatim");
  });
  await at.client.call("git_merge", { repo_path: "r", step: "continue" });
  expect((await at.call("git_log", { repo_path: "r" })).text).not.toContain("CANARY");
});

test("L1 never follows the untracked cache of an index to an outside folder", async () => {
  await using at = await ground((r) => {
    r.write({ "xxxxxxxxx/b.txt": "b\n" });
    r.git("update-index", "--force-untracked-cache");
  });
  // git keeps only what is older than its clock tells, and uses only what was kept with the same settings.
  const keep = (): string => at.repository.git("-c", "core.excludesFile=/dev/null", "status");
  keep();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  keep();
  const index = join(at.repository.path, ".git/index");
  const bytes = readFileSync(index, "latin1");
  expect(bytes).toMatch(/UNTR[^]*xxxxxxxxx/);
  writeFileSync(index, bytes.replaceAll("xxxxxxxxx", "../../out"), "latin1");
  expect((await at.call("git_status", { repo_path: "r" })).text).not.toContain("../../out");
});
