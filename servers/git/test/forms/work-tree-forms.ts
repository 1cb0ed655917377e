// Odd names, indexes, submodules, attributes and work trees.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { imported, LINEAR, withFiles } from "./form-builder.ts";

export const WORK_TREE_FORMS: Readonly<Record<string, Form>> = {
  "nasty names": {
    make: withFiles({
      "-dash": "1\n",
      "new\nline": "2\n",
      "tab\there": "3\n",
      "quo\"te's": "4\n",
      "back\\slash": "5\n",
      "st*r?[x]": "6\n",
      "trailing ": "7\n",
      " leading": "8\n",
      ":colon": "9\n",
      ":(glob)x": "10\n",
      "!bang": "11\n",
      "#hash": "12\n",
      "a -> b": "13\n",
      "{x => y}": "14\n",
      "\x01bell\x07": "15\n",
    }),
  },
  "names that are not UTF-8": {
    make: withFiles({ "caf\xe9": "1\n", "d\xff/x": "2\n", "\\xE9": "3\n", "sp \xe9 ce": "4\n", "nl\n\xe9": "5\n" }),
  },
  "deep and long names": { make: withFiles({ [`${"d/".repeat(60)}f`]: "deep\n", ["n".repeat(250)]: "long\n" }) },
  "names that differ in case only": { make: withFiles({ "Same.txt": "1\n", "same.txt": "2\n", "SAME.TXT": "3\n" }) },
  "ignoreCase, no symlinks, no modes": {
    make: (folder) =>
      imported(folder.at("r"), [...LINEAR, { files: { link: ["120000", "a.txt"], "run.sh": ["100755", "x\n"] } }], {
        settings: { "core.ignoreCase": "true", "core.symlinks": "false", "core.fileMode": "false" },
      }),
  },
  "line ends by attributes": {
    make: (folder) =>
      withFiles({
        ".gitattributes": "*.crlf text eol=crlf\n*.lf text eol=lf\n*.auto text=auto\n",
        "x.crlf": "1\n2\n",
        "x.lf": "1\n2\n",
        "x.auto": "1\r\n2\n",
      })(folder).write({ "x.crlf": "1\r\nzwei\r\n", "x.auto": "1\r\n2\r\n3\n" }),
  },
  "encodings by attributes": {
    make: (folder) =>
      withFiles({ ".gitattributes": "*.u16 text working-tree-encoding=UTF-16LE\n", "x.u16": "eins\nzwei\n" })(folder).write({
        "x.u16": Buffer.from("eins\nzwei\ndrei\n", "utf16le"),
      }),
  },
  "filters, drivers and binary by attributes": {
    make: (folder) =>
      withFiles({
        ".gitattributes": "*.lfs filter=lfs diff=lfs merge=lfs -text\n*.bin binary\n*.drv diff=custom\n",
        "x.lfs": "pointer\n",
        "x.bin": "a\0b",
        "x.drv": "d\n",
      })(folder).write({ "x.drv": "changed\n", "x.bin": Buffer.from("a\0c") }),
  },
  "binary and large files": {
    make: withFiles({ "b.bin": Buffer.from([0, 1, 2, 255, 0]), "long.txt": `${"x".repeat(100_000)}\n`, "no-newline": "end" }),
  },
  "ignored and excluded files": {
    make(folder) {
      const repository = withFiles({ ".gitignore": "*.log\n!kept.log\n/only-top\n", "dir/.gitignore": "local\n" })(folder);
      mkdirSync(join(repository.path, ".git/info"), { recursive: true });
      writeFileSync(join(repository.path, ".git/info/exclude"), "secret\n");
      return repository.write({
        "x.log": "1\n",
        "kept.log": "2\n",
        "only-top": "3\n",
        "dir/only-top": "4\n",
        "dir/local": "5\n",
        secret: "6\n",
        "e/f": "7\n",
      });
    },
  },
  "files, folders and links that changed places": {
    make(folder) {
      const repository = withFiles({ "f.txt": "f\n", "g/h.txt": "h\n" })(folder);
      for (const name of ["f.txt", "g", "a.txt"]) rmSync(join(repository.path, name), { recursive: true });
      symlinkSync("dir/b.txt", join(repository.path, "a.txt"));
      return repository.write({ "f.txt/inside": "x\n", g: "now a file\n" });
    },
  },
  "a pipe and a file without rights": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR).write({ closed: "x\n" });
      execFileSync("mkfifo", [join(repository.path, "pipe")]);
      chmodSync(join(repository.path, "closed"), 0);
      return repository;
    },
  },
  "a split index": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("update-index", "--split-index");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  "an untracked cache": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("update-index", "--force-untracked-cache");
      return repository.write({ "new/x": "x\n" });
    },
  },
  "an index of version 4 with flags": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR).write({ "new.txt": "n\n" });
      repository.git("update-index", "--index-version=4");
      repository.git("add", "--intent-to-add", "new.txt");
      repository.git("update-index", "--assume-unchanged", "dir/b.txt");
      repository.git("update-index", "--skip-worktree", "dir/c.txt");
      return repository.write({ "dir/b.txt": "unseen\n" });
    },
  },
  "a conflict": {
    make(folder) {
      const repository = imported(folder.at("r"), [
        ...LINEAR,
        { branch: "side", from: ":3", files: { "a.txt": "theirs\n", "dir/b.txt": undefined } },
      ]);
      repository.commit("ours", { "dir/b.txt": "changed\n" });
      repository.loosely("merge", "side");
      return repository;
    },
  },
  "stashes, one with untracked files": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR).write({ "a.txt": "stashed\n" });
      repository.git("stash", "push", "--quiet");
      repository.write({ "a.txt": "again\n", "un.txt": "u\n" }).git("stash", "push", "--quiet", "--include-untracked");
      return repository;
    },
  },
  "a sparse checkout by folders": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("sparse-checkout", "set", "--cone", "nothing");
      return repository;
    },
  },
  "a sparse checkout by patterns": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("sparse-checkout", "set", "--no-cone", "/a.txt", "!b*");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  "a sparse index": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      repository.git("sparse-checkout", "set", "--cone", "--sparse-index", "nothing");
      return repository;
    },
  },
  "linked work trees, one of them gone": {
    make(folder) {
      const repository = imported(folder.at("all/r"), [...LINEAR, { branch: "side", from: ":2", files: { s: "s\n" } }]);
      repository.git("worktree", "add", "--quiet", folder.at("all/linked"), "side");
      repository.git("worktree", "add", "--quiet", "--detach", folder.at("all/gone"));
      rmSync(folder.at("all/gone"), { recursive: true });
      return repository;
    },
    root: "all",
  },
  "a linked work tree": {
    make(folder) {
      const repository = imported(folder.at("all/from"), LINEAR);
      repository.git("worktree", "add", "--quiet", "-b", "side", folder.at("all/r"));
      return new TestRepository(folder.at("all/r"));
    },
    root: "all",
  },
  "a git directory elsewhere": {
    make(folder) {
      const repository = imported(folder.at("all/r"), LINEAR);
      renameSync(join(repository.path, ".git"), folder.at("all/apart.git"));
      return repository.write({ ".git": `gitdir: ${folder.at("all/apart.git")}\n` });
    },
    root: "all",
  },
  "every kind of conflict": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const id = repository.git("rev-parse", "HEAD:a.txt");
      const stages = { dd: [1], au: [2], ua: [3], ud: [1, 2], du: [1, 3], aa: [2, 3], uu: [1, 2, 3] };
      const lines = Object.entries(stages).flatMap(([name, all]) => all.map((stage) => `100644 ${id} ${stage}\t${name}.txt\n`));
      repository.raw(["update-index", "--index-info"], { input: lines.join("") });
      return repository;
    },
  },
  "files with intent to add, or taken for unchanged": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR).write({ "n.txt": "new\n", "e.txt": "", "a.txt": "x\n", "dir/b.txt": "y\n" });
      repository.git("add", "--intent-to-add", "n.txt", "e.txt");
      repository.git("update-index", "--assume-unchanged", "a.txt");
      repository.git("update-index", "--skip-worktree", "dir/b.txt");
      return repository;
    },
  },
};
