// Odd refs, tags, and kinds of object stores.
import { mkdirSync, writeFileSync } from "node:fs";
import { TestRepository, cloneOf, makeRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { imported, LINEAR, writeGitFile, writeObject } from "./form-builder.ts";

const head = (repository: TestRepository): string => repository.git("rev-parse", "HEAD");

export const REF_FORMS: Readonly<Record<string, Form>> = {
  "no commits": { make: (folder) => makeRepository(folder.at("r")) },
  "no commits, a staged file": {
    make(folder) {
      const repository = makeRepository(folder.at("r")).write({ "a.txt": "a\n" });
      repository.git("add", "a.txt");
      return repository.write({ "a.txt": "b\n" });
    },
  },
  "an unborn branch beside others": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("symbolic-ref", "HEAD", "refs/heads/new");
      return repository;
    },
  },
  bare: { make: (folder) => imported(folder.at("r.git"), LINEAR, { bare: true }), refuses: /is bare/ },
  "bare without commits": {
    make: (folder) => makeRepository(folder.at("r.git"), undefined, { bare: true }),
    refuses: /is bare|no commits/,
  },
  detached: {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("checkout", "--quiet", "--detach", "HEAD~1");
      return repository;
    },
  },
  "HEAD at a tag": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("tag", "v1");
      repository.git("symbolic-ref", "HEAD", "refs/tags/v1");
      return repository;
    },
  },
  "ids of SHA-256": { make: (folder) => imported(folder.at("r"), LINEAR, { init: ["--object-format=sha256"] }).write({ "a.txt": "x\n" }) },
  "packed refs and objects": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("gc", "--quiet");
      return repository;
    },
  },
  "a multi-pack index, bitmaps and a commit graph": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("repack", "-a", "-d", "-q");
      repository.git("commit-graph", "write", "--reachable", "--changed-paths");
      repository.git("multi-pack-index", "write", "--bitmap");
      return repository;
    },
  },
  reftable: {
    make(folder) {
      mkdirSync(folder.at("r"));
      const repository = new TestRepository(folder.at("r"));
      repository.loosely("init", "--quiet", "--ref-format=reftable", "--initial-branch=main", ".");
      if (repository.loosely("rev-parse", "--git-dir") !== ".git") return undefined;
      repository.git("config", "user.name", "Ada");
      repository.git("config", "user.email", "ada@example.org");
      repository.commit("first", { "a.txt": "one\n" });
      repository.git("branch", "side");
      repository.git("tag", "-m", "a tag", "v1");
      repository.commit("second", { "a.txt": "one\ntwo\n" });
      return repository;
    },
  },
  "nested tags and tags of files and trees": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const tag = (name: string, of: string): string => repository.git("tag", "-a", "-m", `tag ${name}`, name, of);
      tag("inner", "HEAD");
      tag("outer", "inner");
      tag("file", "HEAD:a.txt");
      tag("tree", "HEAD^{tree}");
      repository.git("tag", "light", "HEAD~1");
      return repository;
    },
  },
  "bad tags": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const commit = head(repository);
      const tag = (name: string, text: string): void =>
        writeGitFile(repository, `refs/tags/${name}`, `${writeObject(repository, "tag", text)}\n`);
      tag("no-tagger", `object ${commit}\ntype commit\ntag no-tagger\n\nno tagger\n`);
      tag("bad-tagger", `object ${commit}\ntype commit\ntag bad-tagger\ntagger Ada\n\nbad\n`);
      tag("other-name", `object ${commit}\ntype commit\ntag -x\ntagger Ada <a@x> 1700000000 +0000\n\nname\n`);
      tag("no-message", `object ${commit}\ntype commit\ntag no-message\ntagger Ada <a@x> 1700000000 +0000\n`);
      return repository;
    },
  },
  "a tag of a missing object": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const text = `object ${"1".repeat(40)}\ntype commit\ntag lost\ntagger Ada <a@x> 1700000000 +0000\n\nlost\n`;
      writeGitFile(repository, "refs/tags/lost", `${writeObject(repository, "tag", text)}\n`);
      return repository;
    },
  },
  "symbolic refs, whole and dangling": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
      writeGitFile(repository, "refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n");
      writeGitFile(repository, "refs/heads/alias", "ref: refs/heads/main\n");
      writeGitFile(repository, "refs/heads/dangling", "ref: refs/heads/nothing\n");
      return repository;
    },
  },
  "refs of other namespaces, notes and a second stash": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const commit = head(repository);
      for (const name of ["namespaces/x/refs/heads/main", "custom/y", "pull/1/head", "bisect/bad", "original/refs/heads/main"])
        writeGitFile(repository, `refs/${name}`, `${commit}\n`);
      repository.git("notes", "add", "-m", "a note");
      return repository;
    },
  },
  "branches with odd names": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const commit = head(repository);
      for (const name of [
        "heads/feature/ü",
        "heads/HEAD",
        "heads/refs/heads/main",
        "tags/main",
        "heads/@",
        `heads/${commit}`,
        "heads/a'b\"c",
        "heads/-dash",
      ])
        writeGitFile(repository, `refs/${name}`, `${commit}\n`);
      return repository;
    },
  },
  "3,000 branches and tags": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const commit = head(repository);
      const lines = ["heads", "tags"].flatMap((kind) =>
        Array.from({ length: 1500 }, (_value, at) => `${commit} refs/${kind}/n${String(at).padStart(5, "0")}\n`),
      );
      writeGitFile(repository, "packed-refs", `# pack-refs with: sorted \n${lines.join("")}`);
      return repository;
    },
  },
  "replace refs": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("replace", "HEAD~1", "HEAD~2");
      return repository;
    },
  },
  grafts: {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "info/grafts", `${head(repository)}\n`);
      return repository;
    },
  },
  shallow: { make: (folder) => cloneOf(imported(folder.at("from"), LINEAR), folder.at("r"), "--depth=2") },
  "a partial clone": {
    make(folder) {
      const from = imported(folder.at("from"), LINEAR, { settings: { "uploadpack.allowFilter": "true" } });
      return cloneOf(from, folder.at("r"), "--filter=blob:none");
    },
    refuses: /partial clone|are missing/,
  },
  "objects borrowed from a neighbour": {
    make(folder) {
      imported(folder.at("all/from"), LINEAR);
      new TestRepository(folder.at("all/from")).git("clone", "--quiet", "--shared", folder.at("all/from"), folder.at("all/r"));
      return new TestRepository(folder.at("all/r"));
    },
    root: "all",
  },
  "odd messages in the reflog": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const [now = "", before = ""] = repository.git("rev-parse", "HEAD", "HEAD~1").split("\n");
      const line = (message: string): string => `${before} ${now} A <a@x> 1700000000 +0000\t${message}\n`;
      mkdirSync(`${repository.path}/.git/logs/refs/heads`, { recursive: true });
      writeFileSync(
        `${repository.path}/.git/logs/HEAD`,
        Buffer.from([line("caf\xe9"), line(""), line("tab\there"), line("x".repeat(3000))].join(""), "latin1"),
      );
      return repository;
    },
  },
};
