// Odd object stores, settings and folders of git.
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { imported, LINEAR, writeGitFile } from "./form-builder.ts";

/** The path of a file that belongs to the only pack. */
function besidePack({ path }: TestRepository, extension: string): string {
  const folder = join(path, ".git/objects/pack");
  const [pack = ""] = readdirSync(folder).filter((name) => name.endsWith(".pack"));
  return join(folder, pack.replace(/pack$/, extension));
}

function addSubmodule(repository: TestRepository, from: string, name: string): void {
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, name);
}

export const STORE_FORMS: Readonly<Record<string, Form>> = {
  "a commit graph that is out of date": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("commit-graph", "write", "--reachable", "--changed-paths");
      repository.commit("later e", { n: "e\n" });
      repository.git("commit-graph", "write", "--reachable", "--split");
      repository.commit("later still", { n: "e2\n" });
      return repository;
    },
  },
  "a multi-pack index of a pack that is gone": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("repack", "-dq");
      repository.commit("e", { n: "e\n" });
      repository.git("repack", "-dq");
      repository.git("multi-pack-index", "write");
      repository.git("-c", "core.multiPackIndex=false", "repack", "-adq");
      return repository;
    },
  },
  "packs, kept packs and loose objects": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("repack", "-dq");
      writeFileSync(besidePack(repository, "keep"), "");
      repository.commit("e", { n: "e\n" });
      repository.git("repack", "-dq");
      repository.commit("e2", { n: "e2\n" });
      return repository;
    },
  },
  "leftovers among packs": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const folderOfPacks = join(repository.path, ".git/objects/pack");
      writeFileSync(join(folderOfPacks, "tmp_pack_abc"), "x");
      writeFileSync(join(folderOfPacks, `pack-${"1".repeat(40)}.idx`), "x");
      writeFileSync(join(folderOfPacks, `pack-${"2".repeat(40)}.pack`), "x");
      writeFileSync(join(folderOfPacks, `pack-${"3".repeat(40)}.rev`), "x");
      writeFileSync(join(folderOfPacks, "README"), "x");
      mkdirSync(join(repository.path, ".git/objects/tmp_objdir-incoming-x"));
      return repository;
    },
  },
  "a pack index of version 1": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR, { settings: { "pack.indexVersion": "1" } });
      repository.git("repack", "-adq");
      return repository;
    },
  },
  "alternates of alternates": {
    make(folder) {
      imported(folder.at("all/a"), LINEAR);
      imported(folder.at("all/b"), [{ files: { q: "e\n" } }]);
      const repository = imported(folder.at("all/r"), LINEAR);
      writeGitFile(repository, "objects/info/alternates", "# comment\n../../../a/.git/objects\n");
      writeGitFile(new TestRepository(folder.at("all/a")), "objects/info/alternates", "../../../b/.git/objects\n");
      return repository;
    },
    root: "all",
  },
  "alternates that lead to itself": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "objects/info/alternates", join(repository.path, ".git/objects") + "\n");
      return repository;
    },
  },
  "promisor packs with nothing missing": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("repack", "-adq");
      writeFileSync(besidePack(repository, "promisor"), "");
      appendFileSync(
        join(repository.path, ".git/config"),
        `[remote "origin"]\n\turl = https://x.invalid/y\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`,
      );
      return repository;
    },
  },
  "ids of SHA-256 with merges, tags, packs and indexes of them": {
    make(folder) {
      const repository = imported(
        folder.at("r"),
        [...LINEAR, { branch: "side", from: ":2", files: { s: "e\n" } }, { message: "m\n", merge: [":5"], files: { s: "e\n" } }],
        { init: ["--object-format=sha256"] },
      );
      repository.git("tag", "-a", "-m", "t", "v1");
      repository.git("tag", "-a", "-m", "t2", "v2", "v1");
      repository.git("repack", "-adq");
      repository.git("commit-graph", "write", "--reachable");
      repository.git("multi-pack-index", "write");
      return repository.write({ "a.txt": "x e\n" });
    },
  },
  "settings of a work tree": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("config", "core.repositoryFormatVersion", "1");
      repository.git("config", "extensions.worktreeConfig", "true");
      writeGitFile(repository, "config.worktree", "[core]\n\tfileMode = false\n");
      chmodSync(join(repository.path, "a.txt"), 0o755);
      return repository;
    },
  },
  "a configuration with a byte order mark and CRLF": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const text = readFileSync(join(repository.path, ".git/config"), "utf8");
      writeGitFile(repository, "config", `\ufeff${text.replaceAll("\n", "\r\n")}[core] ignorecase\n[user] name = "a\\tb" ; c\n# x\n`);
      return repository;
    },
  },
  "no configuration": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      rmSync(join(repository.path, ".git/config"));
      return repository.write({ "a.txt": "ch e\n" });
    },
  },
  "a configuration without core.bare": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("config", "--unset", "core.bare");
      return repository.write({ "a.txt": "c e\n" });
    },
  },
  "work trees that are locked, missing or detached": {
    make(folder) {
      const repository = imported(folder.at("all/r"), [...LINEAR, { branch: "side", from: ":2", files: { s: "e\n" } }]);
      repository.git("worktree", "add", "-q", "--lock", "--reason", "why\nnot \u202e", folder.at("all/l"), "side");
      repository.git("worktree", "add", "-q", "--detach", folder.at("all/d"));
      repository.git("worktree", "add", "-q", "-b", "n\u{1F600}", folder.at("all/mi ss"));
      rmSync(folder.at("all/mi ss"), { recursive: true });
      repository.git("worktree", "add", "-q", "--lock", folder.at("all/lm"), "HEAD~1");
      rmSync(folder.at("all/lm"), { recursive: true });
      return repository;
    },
    root: "all",
  },
  "a linked work tree with relative paths": {
    make(folder) {
      const repository = imported(folder.at("all/r"), LINEAR);
      repository.git("worktree", "add", "-q", "-b", "w", folder.at("all/d"));
      writeFileSync(folder.at("all/d/.git"), "gitdir: ../r/.git/worktrees/d\n");
      writeFileSync(join(repository.path, ".git/worktrees/d/gitdir"), "../../../../d/.git\n");
      return new TestRepository(folder.at("all/d")).write({ "a.txt": "ch e\n" });
    },
    root: "all",
  },
  "a .git file with CRLF": {
    make(folder) {
      const repository = imported(folder.at("all/r"), LINEAR);
      renameSync(join(repository.path, ".git"), folder.at("all/apart.git"));
      return repository.write({ ".git": `gitdir: ../apart.git\r\n` });
    },
    root: "all",
  },
  "a submodule in a submodule": {
    make(folder) {
      const c = imported(folder.at("all/c"), LINEAR);
      const b = imported(folder.at("all/b"), LINEAR);
      addSubmodule(b, c.path, "c");
      b.commit("c");
      const repository = imported(folder.at("all/r"), LINEAR);
      addSubmodule(repository, b.path, "libs/b");
      repository.commit("b");
      repository.git("-c", "protocol.file.allow=always", "submodule", "update", "--init", "--recursive", "-q");
      return new TestRepository(repository.path).write({ "libs/b/c/a.txt": "deep change e\n", "libs/b/u": "u" });
    },
    root: "all",
  },
  "the repository of a submodule": {
    make(folder) {
      imported(folder.at("all/i"), LINEAR);
      const repository = imported(folder.at("all/r"), LINEAR);
      addSubmodule(repository, folder.at("all/i"), "sub");
      repository.commit("s");
      return new TestRepository(join(repository.path, "sub")).write({ "a.txt": "ch e\n" });
    },
    root: "all",
  },
  "a submodule in conflict": {
    make(folder) {
      const inner = imported(folder.at("all/i"), LINEAR);
      const repository = imported(folder.at("all/r"), LINEAR);
      addSubmodule(repository, inner.path, "sub");
      repository.commit("s");
      const sub = new TestRepository(join(repository.path, "sub"));
      repository.git("checkout", "-q", "-b", "side");
      sub.commit("x", { x: "1" });
      repository.commit("side");
      repository.git("checkout", "-q", "main");
      sub.git("checkout", "-q", "HEAD~2");
      repository.commit("ours");
      repository.loosely("merge", "side");
      return repository;
    },
    root: "all",
  },
  "an untracked cache that is stale": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR).write({ "u/1": "x" });
      repository.git("update-index", "--force-untracked-cache");
      repository.loosely("status");
      rmSync(join(repository.path, "u"), { recursive: true });
      return repository.write({ "v/2": "x", ".gitignore": "w\n", w: "1" });
    },
  },
};
