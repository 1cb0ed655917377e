// Damaged repositories: the reply has what is left, or names what is wrong.
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { imported, LINEAR, writeGitFile } from "./form-builder.ts";

const objectFile = ({ path }: TestRepository, id: string): string => join(path, ".git/objects", id.slice(0, 2), id.slice(2));

/** Damages the object of a revision, in a repository without packs. */
const damaging = (revision: string, damage: (file: string) => void, refuses: RegExp): Form => ({
  make(folder) {
    const repository = imported(folder.at("r"), LINEAR);
    const file = objectFile(repository, repository.git("rev-parse", revision));
    damage(file);
    return repository;
  },
  refuses,
});

const remove = (file: string): void => rmSync(file);
const cut = (file: string): void => {
  const bytes = readFileSync(file);
  rmSync(file);
  writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)));
};

const index = (damage: (file: string) => void): Form => ({
  make(folder) {
    const repository = imported(folder.at("r"), LINEAR);
    damage(join(repository.path, ".git/index"));
    return repository;
  },
  refuses: /index/,
});

const MISSING = /missing|unable to read|bad (?:object|tree|file)|could not (?:get|read)|corrupt|damaged|Unknown revision|invalid/i;

export const DAMAGED_FORMS: Readonly<Record<string, Form>> = {
  "a missing file of HEAD": damaging("HEAD:a.txt", remove, MISSING),
  "a missing file of the past": damaging("HEAD~2:a.txt", remove, MISSING),
  "a missing folder": damaging("HEAD:dir", remove, MISSING),
  "a missing commit of the past": damaging("HEAD~2", remove, MISSING),
  "HEAD at a missing commit": damaging("HEAD", remove, MISSING),
  "a file of HEAD cut in half": damaging("HEAD:a.txt", cut, MISSING),
  "a commit cut in half": damaging("HEAD~1", cut, MISSING),
  "an index cut in half": index((file) => truncateSync(file, 60)),
  "an index of garbage": index((file) => writeFileSync(file, "garbage")),
  "an empty index": index((file) => writeFileSync(file, "")),
  "an index with a wrong checksum": index((file) => {
    const bytes = readFileSync(file);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 0xff;
    writeFileSync(file, bytes);
  }),
  "no index": index((file) => rmSync(file)),
  "a damaged commit graph": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("commit-graph", "write", "--reachable");
      const file = join(repository.path, ".git/objects/info/commit-graph");
      const bytes = readFileSync(file);
      rmSync(file);
      writeFileSync(file, bytes.subarray(0, 100));
      return repository;
    },
  },
  "a ref of a missing object": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "refs/heads/lost", `${"1".repeat(40)}\n`);
      return repository;
    },
    refuses: MISSING,
  },
  "a ref file of zeros": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "refs/heads/zeros", Buffer.alloc(41));
      return repository;
    },
    refuses: MISSING,
  },
  "a damaged pack": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("repack", "-a", "-d", "-q");
      const name = repository.git("rev-parse", "--git-path", "objects/pack");
      const [pack = ""] = readFileSync(join(repository.path, ".git/objects/info/packs"), "utf8").match(/pack-[0-9a-f]+\.pack/) ?? [];
      const file = join(repository.path, name, pack);
      const bytes = readFileSync(file);
      rmSync(file);
      writeFileSync(file, bytes.subarray(0, bytes.length - 30));
      return repository;
    },
    refuses: MISSING,
  },
};
