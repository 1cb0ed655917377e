// Operations in progress, as git leaves them when it stops.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Form } from "./form.ts";
import { imported, LINEAR, writeGitFile, type ImportedCommit } from "./form-builder.ts";

/** A branch that conflicts with main in its first commit. */
const SIDE: readonly ImportedCommit[] = [
  ...LINEAR,
  { branch: "side", from: ":3", message: "side e\n", files: { "a.txt": "theirs e\n" } },
  { branch: "side", message: "side two e\n", files: { "s.txt": "s e\n" } },
];

export const OPERATION_FORMS: Readonly<Record<string, Form>> = {
  "a bisect in progress": {
    make(folder) {
      const repository = imported(folder.at("r"), [...LINEAR, { files: { x: "e\n" } }, { files: { x: "e2\n" } }]);
      repository.git("bisect", "start", "HEAD", "HEAD~5");
      return repository;
    },
  },
  "a rebase that stopped": {
    make(folder) {
      const repository = imported(folder.at("r"), SIDE);
      repository.git("checkout", "-q", "side");
      repository.loosely("rebase", "main");
      return repository;
    },
  },
  "an interactive rebase at an edit": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.loosely("-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-i", "HEAD~2");
      return repository;
    },
  },
  "a rebase by apply that stopped": {
    make(folder) {
      const repository = imported(folder.at("r"), SIDE);
      repository.git("checkout", "-q", "side");
      repository.loosely("rebase", "--apply", "main");
      return repository;
    },
  },
  "patches of a mailbox in progress": {
    make(folder) {
      const repository = imported(folder.at("r"), SIDE);
      const patches = repository.raw(["format-patch", "--stdout", "main~1..side"]);
      repository.raw(["am"], { input: patches, loose: true });
      return repository;
    },
  },
  "several picks in progress": {
    make(folder) {
      const repository = imported(folder.at("r"), SIDE);
      repository.loosely("cherry-pick", "main~1..side");
      return repository;
    },
  },
  "a revert in progress": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.loosely("revert", "--no-edit", "HEAD~2");
      return repository;
    },
  },
  "a merge in progress without conflicts": {
    make(folder) {
      const repository = imported(folder.at("r"), [...LINEAR, { branch: "side", from: ":3", files: { "s.txt": "s e\n" } }]);
      repository.loosely("merge", "--no-commit", "--no-ff", "side");
      return repository;
    },
  },
  "an octopus merge in progress": {
    make(folder) {
      const repository = imported(folder.at("r"), [
        ...LINEAR,
        { branch: "x", from: ":3", files: { x: "e\n" } },
        { branch: "y", from: ":3", files: { y: "e\n" } },
      ]);
      repository.loosely("merge", "--no-commit", "x", "y");
      return repository;
    },
  },
  "a squash merge in progress": {
    make(folder) {
      const repository = imported(folder.at("r"), [...LINEAR, { branch: "side", from: ":3", files: { "s.txt": "s e\n" } }]);
      repository.loosely("merge", "--squash", "side");
      return repository;
    },
  },
  "rename/rename and add/add conflicts": {
    make(folder) {
      const long = "1 e\n2\n3\n4\n5\n6\n7\n8\n";
      const repository = imported(folder.at("r"), [
        { files: { f: long, g: "e\n" } },
        { branch: "side", from: ":1", files: { f: undefined, f2: long, n: "theirs e\n", g: undefined, "g/x": "e\n" } },
        { branch: "main", from: ":1", files: { f: undefined, f1: long, n: "ours e\n", g: "e changed\n" } },
      ]);
      repository.loosely("merge", "side");
      return repository;
    },
  },
  "a damaged MERGE_HEAD": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      writeGitFile(repository, "MERGE_HEAD", "garbage\n");
      return repository;
    },
  },
  "an empty rebase-merge folder": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      mkdirSync(join(repository.path, ".git/rebase-merge"));
      return repository;
    },
  },
  "an index that can undo a resolution": {
    make(folder) {
      const repository = imported(folder.at("r"), [...LINEAR, { branch: "side", from: ":3", files: { "a.txt": "theirs e\n" } }]);
      repository.loosely("merge", "side");
      repository.write({ "a.txt": "solved e\n" }).git("add", "a.txt");
      return repository;
    },
  },
};
