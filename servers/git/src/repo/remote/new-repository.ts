// Makes repositories: an empty one, or a clone. Only below a folder of repositories, and not inside another repository.
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { looksBare } from "../safety/repository-discovery.ts";
import { environmentOfNew } from "../process/environment.ts";
import { GitError, clip } from "../errors.ts";
import { plain } from "../process/git-failure.ts";
import { guarded } from "./argument-guard.ts";
import { checkAddress, progressReader, reaching, TRANSFER_MS, type Network } from "./network.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import { runGit, type Ran } from "../process/git-process.ts";
import { userConfigOfNone } from "../process/user-config.ts";
import { isInside, type Area } from "../safety/sandbox.ts";

/** The real path where the new repository will be. Its folder may exist, when it is empty or `mayHold` files. */
export function placeFor(area: Area, given: string, mayHold: boolean): string {
  const roots = area.walls.filter(({ kind }) => kind === "root");
  const outside = (): GitError =>
    new GitError("denied", `Access denied - path outside the allowed folders of repositories: ${clip(given)}`);
  if (roots.length === 0)
    throw new GitError(
      "denied",
      "Access denied - no folder for new repositories is served: start the server with --repositories-root DIR.",
    );
  if (given.includes("\0") || given.startsWith("-")) throw new GitError("invalid", `This is no path: ${clip(given)}`);
  for (const candidate of isAbsolute(given) ? [resolve(given)] : roots.map(({ real }) => resolve(real, given))) {
    const real = realOfNew(candidate);
    const root = real === undefined ? undefined : roots.find((wall) => real !== wall.real && isInside(real, wall.real));
    if (real === undefined || root === undefined || !area.inside(real)) continue;
    for (let at = dirname(real); isInside(at, root.real); at = dirname(at))
      if (lstatSync(join(at, ".git"), { throwIfNoEntry: false }) !== undefined || looksBare(at))
        throw new GitError("denied", `Refused: ${clip(given)} lies inside another repository.`);
    if (real.split(/[\\/]/).some((name) => /^\.git$/i.test(name))) throw outside();
    const held = existsSync(real) ? readdirSync(real) : [];
    if (held.includes(".git") || looksBare(real)) throw new GitError("conflict", `There is a repository at ${clip(given)} already.`);
    if (held.length > 0 && !mayHold)
      throw new GitError("conflict", `There is something at ${clip(given)} already: give a folder that is new or empty.`);
    return real;
  }
  throw outside();
}

/** With the links of what exists followed. */
function realOfNew(path: string): string | undefined {
  const names: string[] = [];
  let at = path;
  for (;;) {
    try {
      return join(realpathSync.native(at), ...names);
    } catch {
      // A link that leads nowhere could lead anywhere later.
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true || dirname(at) === at) return undefined;
      names.unshift(basename(at));
      at = dirname(at);
    }
  }
}

export async function initRepository(
  git: string,
  path: string,
  { bare, branch }: { bare: boolean; branch: string },
  signal?: AbortSignal,
): Promise<void> {
  checkRefName(branch, "branch");
  const args = ["init", "--quiet", `--initial-branch=${branch}`, ...(bare ? ["--bare"] : []), "--", path];
  const ran = await withFolder(path, () => runGit({ git, env: environmentOfNew(git), cwd: path }, { args, signal }));
  if (ran.code !== 0) throw new GitError("failed", `git: ${plain({ facts: factsAt(path) }, ran.stderr)}`);
}

/** Makes a folder for git to work in; when that fails, the folders that were made for it go again, as long as they are empty. */
async function withFolder(folder: string, work: () => Promise<Ran>): Promise<Ran> {
  const first = mkdirSync(folder, { recursive: true });
  let isMade = false;
  try {
    const ran = await work();
    isMade = ran.code === 0;
    return ran;
  } finally {
    if (!isMade && first !== undefined) removeEmpty(folder, first);
  }
}

function removeEmpty(folder: string, last: string): void {
  try {
    for (let at = folder; isInside(at, last); at = dirname(at)) rmdirSync(at);
  } catch {
    // Something is in it now.
  }
}

export interface CloneOptions {
  readonly url: string;
  readonly branch?: string | undefined;
  readonly depth?: number | undefined;
  readonly bare: boolean;
  readonly tell: (done: number, message: string) => void;
  readonly signal: AbortSignal;
}

export async function cloneRepository(
  git: string,
  path: string,
  { url, branch, depth, bare, tell, signal }: CloneOptions,
  network: Network,
): Promise<void> {
  checkAddress(url, network);
  if (branch !== undefined) checkRefName(branch, "branch");
  const args = [
    "clone",
    "--progress",
    "--no-recurse-submodules",
    "--no-local",
    "--origin=origin",
    ...(branch === undefined ? [] : [`--branch=${branch}`]),
    ...(depth === undefined ? [] : [`--depth=${depth}`]),
    ...(bare ? ["--bare"] : []),
    "--",
    url,
    path,
  ];
  const own = reaching(network, await userConfigOfNone(git, network.env));
  const env = { ...environmentOfNew(git, own.settings), ...own.env };
  const spawning = { git, env, cwd: dirname(path) };
  const ran = await withFolder(dirname(path), async () =>
    runGit(spawning, { args: await guarded(args), signal, timeoutMs: TRANSFER_MS, onStderr: progressReader(tell) }),
  );
  if (ran.code === 0) return;
  const said = plain({ facts: factsAt(path) }, ran.stderr.replaceAll(/^(?:.*\d+%.*|Cloning into .*)$/gm, ""));
  if (/not found in upstream/.test(ran.stderr)) throw new GitError("not-found", `The remote has no branch "${clip(branch ?? "")}".`);
  throw new GitError("failed", `git clone failed: ${said}`);
}

const factsAt = (path: string) => ({
  top: path,
  gitDir: join(path, ".git"),
  commonDir: join(path, ".git"),
  bare: false,
  config: [],
  network: [],
  trusted: false,
});
