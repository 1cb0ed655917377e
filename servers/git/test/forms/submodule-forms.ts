// Submodules of all kinds, and what is not quite one.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TempFolder } from "@oarlock/testing";
import { TestRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { imported, LINEAR, withFiles } from "./form-builder.ts";

const OTHER = "2".repeat(40);

function withSubmodule(folder: TempFolder): TestRepository {
  imported(folder.at("all/inner"), LINEAR);
  const repository = imported(folder.at("all/r"), LINEAR);
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", folder.at("all/inner"), "sub");
  repository.commit("a submodule");
  return repository;
}

/** A submodule `sub` that was changed in this way. */
const changed = (change: (repository: TestRepository, sub: TestRepository) => void): Form => ({
  root: "all",
  make(folder) {
    const repository = withSubmodule(folder);
    change(repository, new TestRepository(join(repository.path, "sub")));
    return repository;
  },
});

export const SUBMODULE_FORMS: Readonly<Record<string, Form>> = {
  "gitlinks without .gitmodules": { make: withFiles({ sub: ["160000", OTHER], "d/sub": ["160000", OTHER] }) },
  "a submodule": {
    make(folder) {
      const repository = withSubmodule(folder);
      new TestRepository(join(repository.path, "sub")).write({ "a.txt": "changed inside\n" });
      return repository;
    },
    root: "all",
  },
  "a submodule with a git directory of its own": {
    make(folder) {
      const repository = withSubmodule(folder);
      rmSync(join(repository.path, "sub"), { recursive: true });
      cpSync(folder.at("all/inner"), join(repository.path, "sub"), { recursive: true });
      new TestRepository(join(repository.path, "sub")).git("checkout", "--quiet", "HEAD~1");
      return repository;
    },
    root: "all",
  },
  "a submodule that is not checked out": {
    make(folder) {
      const repository = withSubmodule(folder);
      repository.git("submodule", "--quiet", "deinit", "--force", "sub");
      return repository;
    },
    root: "all",
  },
  "a submodule whose git directory is gone": {
    make(folder) {
      const repository = withSubmodule(folder);
      rmSync(join(repository.path, ".git/modules"), { recursive: true });
      return repository;
    },
    root: "all",
    refuses: /not a git repository/i,
  },
  // git status enters submodules by it; the tool does not.
  "a broken .gitmodules": { make: withFiles({ sub: ["160000", OTHER], ".gitmodules": '[submodule "sub"\n\tpath\n' }) },
  "an embedded repository that is not tracked": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      imported(join(repository.path, "inside"), LINEAR);
      return repository;
    },
  },
  "a submodule with a file in its place": changed((repository) => {
    rmSync(join(repository.path, "sub"), { recursive: true });
    repository.write({ sub: "a file\n" });
  }),
  "a submodule whose changes are ignored": changed((repository, sub) => {
    repository.git("config", "--file", ".gitmodules", "submodule.sub.ignore", "all");
    sub.commit("new", { "n.txt": "n\n" });
    sub.write({ "a.txt": "changed\n" });
  }),
  "a submodule with new commits and untracked files": changed((_repository, sub) => {
    sub.commit("new", { "n.txt": "n\n" });
    sub.write({ "u.txt": "u\n" });
  }),
  "a submodule without commits": changed((_repository, sub) => void sub.git("checkout", "--quiet", "--orphan", "none")),
  "a submodule that was moved": changed((repository) => void repository.git("mv", "sub", "moved")),
  "a submodule that is no longer tracked": changed((repository) => void repository.git("rm", "--quiet", "--cached", "sub")),
};
