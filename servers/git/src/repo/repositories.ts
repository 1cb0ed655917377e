// All repositories that are served: from what a caller gives to an open one, and the names that they go by.
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { checkVersion, gitMissing } from "./process/git-program.ts";
import { discover, looksBare } from "./safety/repository-discovery.ts";
import { environmentOfNone } from "./process/environment.ts";
import { GitError, clip, systemCode } from "./errors.ts";
import { FactsKeeper } from "./safety/repository-state.ts";
import { Repository } from "./repository.ts";
import { runGit } from "./process/git-process.ts";
import { isInside, type Area, type Wall } from "./safety/sandbox.ts";

export interface RepositoriesOptions {
  /** The git program; undefined when there is none, which each call says. */
  readonly git: string | undefined;
  readonly walls: readonly Wall[];
  /** Real paths whose repositories the operator vouches for. */
  readonly trusted: readonly string[];
}

const LONGEST_PATH = 4096;
const MOST_LISTED = 500;
const DEEPEST = 4;

export class Repositories {
  readonly #git: string | undefined;
  readonly #names: ReadonlyMap<Wall, string>;
  readonly #facts: FactsKeeper;
  readonly #open = new Map<string, Repository>();
  #checked: Promise<void> | undefined;

  constructor({ git, walls, trusted }: RepositoriesOptions) {
    this.#git = git;
    this.#names = namesOf(walls);
    this.#facts = new FactsKeeper(git ?? "", (real) => trusted.some((folder) => isInside(real, folder)));
  }

  /** The repository that a caller means; without a path the only one that there is. */
  async open(area: Area, path: string | undefined, signal?: AbortSignal): Promise<Repository> {
    const git = this.#git;
    if (git === undefined) throw gitMissing();
    const real = this.#realOf(area, path);
    const given = path ?? this.nameOf(area, real);
    try {
      return await this.#opened(git, area, real, given, signal);
    } catch (error) {
      const code = systemCode(error);
      if (error instanceof GitError || code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
      throw new GitError("not-a-repository", `Not a git repository that can be read: ${clip(given)} (${code}).`);
    }
  }

  async #opened(git: string, area: Area, real: string, given: string, signal?: AbortSignal): Promise<Repository> {
    const found = discover(area, real, given);
    if (found === undefined) throw new GitError("not-a-repository", `Not a git repository: ${clip(given)}.${this.#known(area)}`);
    this.#checked ??= this.#checkGit(git);
    await this.#checked;
    const facts = await this.#facts.of(area, found, given, signal);
    const kept = this.#open.get(facts.gitDir);
    if (kept?.facts === facts) return kept;
    kept?.close();
    const other = (folder: string, inside: string): Promise<Repository> => this.#opened(git, area, realOf(folder) ?? folder, inside);
    const opened = new Repository(git, facts, this.nameOf(area, facts.top), other);
    this.#open.set(facts.gitDir, opened);
    return opened;
  }

  async #checkGit(git: string): Promise<void> {
    try {
      const { stdout } = await runGit({ git, env: environmentOfNone(git), cwd: "/" }, { args: ["--version"] });
      checkVersion(stdout.toString());
    } catch (error) {
      this.#checked = undefined;
      throw error;
    }
  }

  #realOf(area: Area, path: string | undefined): string {
    if (path === undefined || path === "" || path === ".") return this.#only(area);
    if (path.length > LONGEST_PATH || path.includes("\0") || !path.isWellFormed()) throw new GitError("invalid", "repo_path is no path.");
    if (path.startsWith("-")) throw new GitError("invalid", `repo_path cannot begin with "-": ${clip(path)}`);
    for (const candidate of isAbsolute(path) ? [path] : this.#candidates(area, path)) {
      const real = realOf(candidate);
      if (real !== undefined && area.inside(real)) return real;
    }
    throw denied(area, path);
  }

  /** A relative path is a name, or lies below a folder of repositories, or in the only repository. */
  #candidates(area: Area, path: string): string[] {
    const [first = "", ...rest] = path.split("/");
    const named = area.open
      .filter((wall) => this.#names.get(wall) === first && wall.kind === "repository")
      .map(({ real }) => join(real, ...rest));
    const below = area.open.filter(({ kind }) => kind === "root").map(({ real }) => resolve(real, path));
    const [only, ...others] = area.open;
    return [...named, ...below, ...(only?.kind === "repository" && others.length === 0 ? [resolve(only.real, path)] : [])];
  }

  #only(area: Area): string {
    const [only, ...others] = area.open;
    if (only === undefined) throw new GitError("denied", `Access denied - ${whyNone(area)}.`);
    if (others.length === 0 && only.kind === "repository") return only.real;
    const names = this.list(area, 2);
    const [name, another] = names;
    if (name !== undefined && another === undefined) return name.real;
    throw new GitError("invalid", `Several repositories are served: say which by repo_path.${this.#known(area)}`);
  }

  #known(area: Area): string {
    const names = this.list(area, 20).map(({ name }) => clip(name));
    return names.length === 0 ? "" : ` Served: ${names.join(", ")}.`;
  }

  /** Unique, and what repo_path takes as well as a path. */
  nameOf(area: Area, real: string): string {
    for (const wall of area.walls) {
      if (!isInside(real, wall.real)) continue;
      const below = relative(wall.real, real).replaceAll(sep, "/");
      if (wall.kind === "root") return below === "" ? "." : below;
      const name = this.#names.get(wall) ?? "";
      return below === "" ? name : `${name}/${below}`;
    }
    return basename(real);
  }

  /** The repositories by their names, as many as asked for. */
  list(area: Area, most: number = MOST_LISTED): { name: string; real: string }[] {
    const found: { name: string; real: string }[] = [];
    for (const { real, kind } of area.open) {
      const tops = kind === "repository" ? [real] : below(real, area, most - found.length);
      for (const top of tops) found.push({ name: this.nameOf(area, top), real: top });
      if (found.length >= most) break;
    }
    return found.slice(0, most);
  }

  close(): void {
    for (const repository of this.#open.values()) repository.close();
    this.#open.clear();
  }
}

/** Repositories below a folder, not looking into those that were found, into links or into hidden folders. */
function below(root: string, area: Area, most: number): string[] {
  const found: string[] = [];
  let level = [root];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (found.length >= most) return found;
      if (existsSync(join(folder, ".git")) || (folder !== root && looksBare(folder))) {
        if (area.inside(folder)) found.push(folder);
        continue;
      }
      try {
        for (const entry of readdirSync(folder, { withFileTypes: true }))
          if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules") next.push(join(folder, entry.name));
      } catch {
        // It may not be read: nothing of it is served.
      }
    }
    level = next.slice(0, 5000);
  }
  return found;
}

function realOf(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function denied(area: Area, path: string): GitError {
  // What is missing inside may be said to be missing; outside, everything looks the same.
  const text = resolve("/", path);
  const inside = isAbsolute(path) && area.open.some(({ real, given }) => isInside(text, real) || isInside(text, given));
  return inside && !existsSync(path)
    ? new GitError("not-found", `No such directory: ${clip(path)}`)
    : new GitError("denied", `Access denied - path outside the allowed repositories: ${clip(path)}`);
}

export const whyNone = (area: Area): string =>
  area.walls.length === 0
    ? "no repository was named at the start of the server: start it with --repository PATH, or inside a repository"
    : "the client offers no folder with one of this server's repositories in it; --roots ignore serves them all the same";

function namesOf(walls: readonly Wall[]): Map<Wall, string> {
  const names = new Map<Wall, string>();
  const taken = new Set<string>();
  for (const wall of walls) {
    const plain = basename(wall.real).replace(/\.git$/, "") || basename(wall.real) || "repository";
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    taken.add(name);
    names.set(wall, name);
  }
  return names;
}
