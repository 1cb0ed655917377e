// Refs and remotes whose names, targets or files are odd.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { imported, LINEAR, writeGitFile, writeObject } from "./form-builder.ts";

const head = (repository: TestRepository): string => repository.git("rev-parse", "HEAD");

export const NAME_FORMS: Readonly<Record<string, Form>> = {
  "HEAD at an id in capital letters": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "HEAD", `${head(repository).toUpperCase()}\n`);
      return repository;
    },
  },
  "HEAD with blanks and CRLF": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "HEAD", "ref:   refs/heads/main  \r\n");
      return repository;
    },
  },
  "refs whose names are not UTF-8": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const id = head(repository);
      writeFileSync(Buffer.concat([Buffer.from(join(repository.path, ".git/refs/heads/caf")), Buffer.from([0xe9])]), `${id}\n`);
      writeFileSync(Buffer.concat([Buffer.from(join(repository.path, ".git/refs/tags/t")), Buffer.from([0xff])]), `${id}\n`);
      return repository;
    },
  },
  "HEAD on a packed branch that is not UTF-8": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const id = head(repository);
      writeGitFile(
        repository,
        "packed-refs",
        Buffer.from(`# pack-refs with: peeled fully-peeled sorted \n${id} refs/heads/caf\xe9\n`, "latin1"),
      );
      writeFileSync(join(repository.path, ".git/HEAD"), Buffer.from("ref: refs/heads/caf\xe9\n", "latin1"));
      return repository.write({ "a.txt": "ch e\n" });
    },
  },
  "HEAD on a branch of directional marks": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("checkout", "-q", "-b", "\u202efeature/\u{1F600}");
      return repository;
    },
  },
  "a chain of symbolic refs": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "refs/heads/s1", "ref: refs/heads/s2\n");
      writeGitFile(repository, "refs/heads/s2", "ref: refs/heads/main\n");
      repository.git("symbolic-ref", "HEAD", "refs/heads/s1");
      return repository;
    },
  },
  "a loose ref below the name of a packed one": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const id = head(repository);
      writeGitFile(repository, "packed-refs", `# pack-refs with: peeled fully-peeled sorted \n${id} refs/heads/x\n`);
      writeGitFile(repository, "refs/heads/x/y", `${id}\n`);
      return repository;
    },
  },
  "loose refs over packed ones": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("branch", "x", "HEAD~2");
      repository.git("tag", "t", "HEAD~2");
      repository.git("pack-refs", "--all");
      repository.git("branch", "-f", "x", "HEAD");
      repository.git("tag", "-f", "t", "HEAD~1");
      return repository;
    },
  },
  "ref files with CRLF, blanks and capital letters": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const id = head(repository);
      writeGitFile(repository, "refs/heads/crlf", `${id}\r\n`);
      writeGitFile(repository, "refs/heads/blank", `${id}  \n`);
      writeGitFile(repository, "refs/heads/none", id);
      writeGitFile(repository, "refs/heads/more", `${id} more text\n`);
      writeGitFile(repository, "refs/heads/upper", `${id.toUpperCase()}\n`);
      return repository;
    },
  },
  "refs named as hashes and options": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const [id = "", parent = ""] = repository.git("rev-parse", "HEAD", "HEAD~1").split("\n");
      for (const name of [
        `tags/${id.slice(0, 7)}`,
        `heads/${parent}`,
        "tags/--all",
        "tags/-n",
        "heads/--help",
        "tags/HEAD",
        "remotes/main",
        "tags/FETCH_HEAD",
        "heads/ORIG_HEAD",
        "tags/stash",
      ])
        writeGitFile(repository, `refs/${name}`, `${parent}\n`);
      return repository;
    },
  },
  "names that are tag, branch and remote branch": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const parent = repository.git("rev-parse", "HEAD~1");
      for (const name of ["refs/tags/main", "refs/remotes/main/HEAD", "refs/main", "refs/heads/origin/main", "refs/remotes/origin/main"])
        writeGitFile(repository, name, `${parent}\n`);
      return repository;
    },
  },
  "a tag whose object is garbage": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "refs/tags/g", writeObject(repository, "tag", "garbage\n") + "\n");
      return repository;
    },
  },
  "eight tags of tags": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      let at = "HEAD";
      for (let i = 0; i < 8; i++) {
        repository.git("tag", "-a", "-m", `t${i}`, `t${i}`, at);
        at = `t${i}`;
      }
      return repository;
    },
  },
  "a branch at a tag object or a blob": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("tag", "-a", "-m", "x", "t");
      const [tag = "", blob = ""] = repository.git("rev-parse", "t", "HEAD:a.txt").split("\n");
      writeGitFile(repository, "refs/heads/attag", `${tag}\n`);
      writeGitFile(repository, "refs/heads/atblob", `${blob}\n`);
      return repository;
    },
  },
  "a replaced commit and a replaced file": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("replace", "HEAD:a.txt", "HEAD:dir/b.txt");
      repository.git("replace", "--graft", "HEAD");
      return repository;
    },
  },
  "notes of several refs": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("notes", "add", "-m", "one");
      repository.git("notes", "--ref=review", "add", "-m", "two");
      repository.git("notes", "--ref=review", "add", "-m", "older", "HEAD~1");
      repository.git("config", "notes.displayRef", "refs/notes/*");
      return repository;
    },
  },
  "upstreams that are gone, local or behind": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const [id = "", parent = ""] = repository.git("rev-parse", "HEAD", "HEAD~2").split("\n");
      writeGitFile(repository, "refs/remotes/origin/main", `${parent}\n`);
      for (const [branch, at] of [
        ["local", id],
        ["gone", id],
        ["behind", parent],
        ["itself", id],
      ] as const)
        writeGitFile(repository, `refs/heads/${branch}`, `${at}\n`);
      appendFileSync(
        join(repository.path, ".git/config"),
        `[remote "origin"]\n\turl = https://e.x/y\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[branch "local"]\n\tremote = .\n\tmerge = refs/heads/main\n[branch "gone"]\n\tremote = origin\n\tmerge = refs/heads/none\n[branch "behind"]\n\tremote = .\n\tmerge = refs/heads/main\n[branch "itself"]\n\tremote = .\n\tmerge = refs/heads/itself\n`,
      );
      return repository;
    },
  },
  "a branch whose remote is an address": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      appendFileSync(join(repository.path, ".git/config"), `[branch "main"]\n\tremote = https://e.x/y\n\tmerge = refs/heads/main\n`);
      return repository;
    },
  },
  "remotes without an address or with two": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      appendFileSync(
        join(repository.path, ".git/config"),
        `[remote "o"]\n\turl = https://user:pw@x.invalid/y.git\n\turl = https://second.invalid/y\n\tpushurl = git@x:y\n\tfetch = +refs/heads/*:refs/remotes/o/*\n\tmirror = true\n\ttagOpt = --no-tags\n[remote "no-url"]\n\tfetch = +refs/heads/*:refs/remotes/n/*\n[remote "sp ace"]\n\turl = ../rel\n[remotes]\n\tdefault = o\n`,
      );
      writeGitFile(repository, "remotes/legacy", "URL: https://legacy.invalid/x\nPull: refs/heads/main\n");
      return repository;
    },
  },
  "a commit in Latin-1 by configuration": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR, {
        settings: { "i18n.commitEncoding": "ISO-8859-1", "i18n.logOutputEncoding": "ISO-8859-1" },
      });
      repository.raw(["-c", "user.name=J\xfcrgen", "commit", "-q", "--allow-empty", "-F", "-"], {
        input: Buffer.from("caf\xe9 e\n\nna\xefve\n", "latin1"),
      });
      return repository;
    },
  },
};
