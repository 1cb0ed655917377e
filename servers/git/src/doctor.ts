// Checks of `oarlock-git doctor`: the git program and the repositories.
import { join, resolve } from "node:path";
import { failed, failedBy, passed, checkFolder, runProgram, type Check } from "@oarlock/cli/doctor";
import { platform, type HostEnvironment } from "./platform.ts";
import { findGit } from "./repo/process/git-program.ts";
import { checkVersion } from "./repo/process/git-version.ts";
import { requireOwnRepository } from "./repo/safety/repository-owner.ts";
import { configureSandbox } from "./repo/safety/sandbox-configuration.ts";
import { isInside } from "./repo/safety/sandbox.ts";
import { SKIP_REASONS, SKIP_REMEDIES } from "./skip-reasons.ts";

export interface CheckedOptions {
  readonly repositories: readonly string[];
  readonly repositoriesRoots: readonly string[];
  /** The program of `--git`. */
  readonly git: string | undefined;
  readonly readOnly: boolean;
  readonly trust: readonly string[];
  readonly env: HostEnvironment;
}

const UPDATE = "Install a current git from https://git-scm.com/downloads, or name the program with --git FILE.";

/** Nothing is changed on disk. */
export function checkMachine(options: CheckedOptions): Check[] {
  return [checkGit(options), ...checkRepositories(options)];
}

function checkGit({ git: given, env }: CheckedOptions): Check {
  const git = given ?? findGit({ platform, env });
  if (git === undefined) return failed("git", "git was not found: not at its usual place, and not in PATH.", UPDATE);
  const run = runProgram(git, ["--version"]);
  if ("reason" in run) return failed("git", `${git} does not run: ${run.reason}.`, UPDATE);
  try {
    checkVersion(run.output);
    return passed("git", `${run.output} at ${git}. Hooks, filters and programs that a repository names do not run.`);
  } catch (error) {
    return failedBy("git", error, UPDATE);
  }
}

function checkRepositories({ repositories, repositoriesRoots: roots, readOnly, trust }: CheckedOptions): Check[] {
  const name = "repository";
  const { folders, skipped, partial } = configureSandbox({ repositories, roots });
  const named = repositories.length + roots.length > 0;
  if (!named && folders.length === 0)
    return [
      passed(
        name,
        "No repository is named and the working directory is in none: served are those that the client lists as its folders (roots).",
      ),
    ];
  return [
    ...folders.map(({ real, kind }) => {
      if (kind === "root") return checkFolder("repositories root", real, { write: !readOnly });
      return foreignCheck(real, trust) ?? checkFolder(name, real, { write: !readOnly });
    }),
    ...skipped.map(({ path, reason }) => failed(name, `${path} cannot be served: ${SKIP_REASONS[reason]}.`, SKIP_REMEDIES[reason])),
    ...partial.map(({ path, top }) => failed(name, `${path} is a folder inside a repository.`, `Name its top: ${top}`)),
  ];
}

function foreignCheck(real: string, trust: readonly string[]): Check | undefined {
  if (trust.some((path) => isInside(real, resolve(path)))) return undefined;
  const gitDir = join(real, ".git");
  try {
    requireOwnRepository({ top: real, gitDir, commonDir: gitDir, isBare: false }, real);
    return undefined;
  } catch (error) {
    const [message = ""] = (error instanceof Error ? error.message : "").split(" Change its owner", 1);
    return failed("repository", message, `If you trust it, add --trust ${real}. Otherwise change its owner, or use a clone of your own.`);
  }
}
