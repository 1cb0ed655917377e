// The git server: a table of what it offers.
import { defineServer, type Server } from "@oarlock/server-kit";
import type { RootsMode } from "./request-sandbox.ts";
import type { Given } from "./dependencies.ts";
import { findGit } from "./repo/process/git-program.ts";
import { wallsOf, type Walls } from "./repo/safety/sandbox-configuration.ts";
import { realFolder } from "./repo/safety/sandbox.ts";

export interface Options {
  /** Repositories by their top folders. */
  repositories?: readonly string[];
  /** Folders whose repositories are all served. */
  repositoriesRoots?: readonly string[];
  /** Its repository is served where nothing is named. Default: that of the process. */
  cwd?: string;
  /** What the client's roots do to them. Default `narrow`. */
  roots?: RootsMode;
  /** Hooks of the repository run. Default false. */
  runHooks?: boolean;
  /** Commits and tags are signed, as the user's own configuration says. Default false. */
  sign?: boolean;
  /** What discards work or deletes needs no yes from the user. Default false. */
  allowDiscard?: boolean;
  /** Folders whose repositories are opened though another user owns them or their configuration names programs. */
  trust?: readonly string[];
  /** Protocols that the toolset `remote` may use. Default https, http and ssh. */
  protocols?: readonly string[];
  /** The git program. Default: the one at its usual place, then that of PATH. */
  git?: string | undefined;
  /** No text stands twice in a reply, and the list of tools has no schemas of results. Default false. */
  lean?: boolean;
  /** The most that one reply may weigh, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
  /** Whose home folder and names count. Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>;
}

export const version = "0.0.0";

const INSTRUCTIONS =
  "Work with git repositories. repo_path may be left out where one repository is served; paths of files are relative to its top. Replies that had to be cut say how to go on (cursor). Nothing that a repository brings along is run.";

/**
 * Makes the server; `walls` say what is served and what could not be.
 * @example
 * const { server } = await createServer({ repositories: ["/home/me/project"] });
 */
export async function createServer(options: Options): Promise<{ server: Server; walls: Walls; git: string | undefined }> {
  const { repositories: named = [], repositoriesRoots = [], cwd, roots = "narrow", env = process.env } = options;
  const walls = wallsOf({ repositories: named, roots: repositoriesRoots, cwd });
  const git = options.git ?? findGit(env["PATH"]);
  const trusted = (options.trust ?? []).flatMap((path) => {
    const folder = realFolder(path);
    return "real" in folder ? folder.real : [];
  });
  const given: Given = {
    walls: walls.walls,
    roots,
    trusted,
    maxResultBytes: options.maxResultBytes ?? 2_500_000,
    allowDiscard: options.allowDiscard ?? false,
    runHooks: options.runHooks ?? false,
    sign: options.sign ?? false,
    git,
    network: { protocols: options.protocols?.length ? options.protocols : ["https", "http", "ssh"], env },
    env,
  };
  const server = defineServer({
    name: "oarlock-git",
    title: "Git",
    version,
    instructions: INSTRUCTIONS,
    followsRoots: roots !== "ignore",
    lazy: { load: async () => (await import("./offer.ts")).offerOf(given, options.lean === true) },
  });
  return { server, walls, git };
}
