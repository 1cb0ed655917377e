// A repository opened without a server, for tests of what is done with it.
import { CursorSealer } from "@oarlock/domain-kit";
import { Repositories } from "../../src/repo/repositories.ts";
import type { Repository } from "../../src/repo/repository.ts";
import { createSandbox, type SandboxFolder } from "../../src/repo/safety/sandbox.ts";
import type { TestRepository } from "./repository.ts";

export function openRepository({ path }: TestRepository): Promise<Repository> {
  const folders: SandboxFolder[] = [{ given: path, real: path, kind: "repository" }];
  const options = { git: "git", folders, trusted: [], cursors: new CursorSealer(), filters: false, env: {} };
  return new Repositories(options).open(createSandbox(folders), path);
}
