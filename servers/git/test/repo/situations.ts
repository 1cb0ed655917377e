// Every kind of repository: submodules, linked work trees, bare, detached, shallow and partial clones, conflicts, sha256.
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { TempFolder } from "@oarlock/testing";
import { cloneOf, makeRepository, TestRepository } from "../support/repository.ts";

/** Some history in `a.txt`, with a rename, a branch and a tag. */
export function origin(folder: TempFolder, name = "origin"): TestRepository {
  const repository = makeRepository(folder.at(name), { "a.txt": "one\ntwo\nthree\n", "dir/b.txt": "bee\n" });
  repository.commit("second", { "a.txt": "one\nTWO\nthree\nfour\n" });
  repository.git("mv", "dir/b.txt", "dir/c.txt");
  repository.commit("third: a rename");
  repository.git("branch", "side", "HEAD~1");
  repository.git("tag", "-m", "a tag", "v1");
  return repository;
}

export interface Situation {
  readonly make: (folder: TempFolder) => TestRepository;
  /** No work tree to compare with. */
  readonly bare?: true;
  /** Only what is checked out is there: the author of a line is unknown. */
  readonly partial?: true;
}

export const SITUATIONS = {
  plain: { make: (folder) => origin(folder).write({ "a.txt": "changed\n", "new.txt": "new\n" }) },
  bare: { make: (folder) => cloneOf(origin(folder), folder.at("bare.git"), "--bare"), bare: true },
  detached: {
    make(folder) {
      const repository = origin(folder);
      repository.git("checkout", "-q", "--detach", "HEAD~1");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  shallow: { make: (folder) => cloneOf(origin(folder), folder.at("shallow"), "--depth=2") },
  "partial, with what is checked out": { make: (folder) => partial(folder), partial: true },
  "a linked work tree": {
    make(folder) {
      const repository = origin(folder, "all/origin");
      repository.git("worktree", "add", "-q", folder.at("all/linked"), "side");
      return new TestRepository(folder.at("all/linked")).write({ "a.txt": "in the linked one\n" });
    },
  },
  "a git directory elsewhere inside": {
    make(folder) {
      const repository = origin(folder, "all/origin");
      renameSync(join(repository.path, ".git"), folder.at("all/apart.git"));
      repository.write({ ".git": `gitdir: ${folder.at("all/apart.git")}\n` });
      return repository;
    },
  },
  "with a submodule that has changed": {
    make(folder) {
      const inner = origin(folder, "inner");
      const repository = origin(folder);
      repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
      repository.commit("a submodule");
      new TestRepository(join(repository.path, "sub")).git("checkout", "-q", "HEAD~1");
      return repository;
    },
  },
  "a submodule itself": {
    make(folder) {
      const inner = origin(folder, "inner");
      const repository = makeRepository(folder.at("all/outer"), { f: "outer\n" });
      repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
      return new TestRepository(join(repository.path, "sub")).write({ "a.txt": "changed in the submodule\n" });
    },
  },
  "in the middle of a conflict": {
    make(folder) {
      const repository = origin(folder);
      repository.git("checkout", "-q", "side");
      repository.commit("theirs", { "a.txt": "theirs\n" });
      repository.git("checkout", "-q", "main");
      repository.commit("ours", { "a.txt": "ours\n" });
      repository.loosely("merge", "side");
      return repository;
    },
  },
  "with packed refs and objects": {
    make(folder) {
      const repository = origin(folder);
      repository.git("pack-refs", "--all");
      repository.git("gc", "-q");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  "with ids of sha256": {
    make(folder) {
      mkdirSync(folder.at("sha256"));
      const repository = new TestRepository(folder.at("sha256"));
      repository.git("init", "-q", "--object-format=sha256", "--initial-branch=main");
      repository.git("config", "user.name", "Ada");
      repository.git("config", "user.email", "ada@example.org");
      repository.commit("first", { "a.txt": "one\n" });
      repository.git("branch", "side");
      repository.commit("second", { "a.txt": "one\ntwo\n" });
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  "a sparse checkout": {
    make(folder) {
      const repository = origin(folder);
      repository.git("sparse-checkout", "set", "--no-cone", "/a.txt");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
} satisfies Readonly<Record<string, Situation>>;

/** A clone that has only the files of its last commit. */
export function partial(folder: TempFolder): TestRepository {
  const from = origin(folder);
  from.git("config", "uploadpack.allowFilter", "true");
  const repository = cloneOf(from, folder.at("partial"), "--filter=blob:none");
  return repository.write({ "a.txt": "changed\n" });
}
