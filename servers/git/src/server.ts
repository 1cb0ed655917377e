// Puts the git server together.
import { CursorSealer, toolsetNotice, type ToolSwitches } from "@oarlock/domain-kit";
import { defineServer, type Server } from "@oarlock/server-kit";
import { apps } from "@oarlock/extensions/apps";
import { hostHints } from "@oarlock/extensions/host-hints";
import { skills } from "@oarlock/extensions/skills";
import type { ServerConfiguration } from "./dependencies.ts";
import { platform } from "./platform.ts";
import { findGit } from "./repo/process/git-program.ts";
import { configureSandbox, type SandboxConfiguration } from "./repo/safety/sandbox-configuration.ts";
import { resolveFolder } from "./repo/safety/sandbox.ts";
import type { RootsMode } from "./request-sandbox.ts";
import { hostHintsOf } from "./host/hints.ts";
import { VIEWS } from "./views.ts";

export interface Options {
  /** Repositories by their top folders. */
  repositories?: readonly string[];
  /** Folders whose repositories are all served. */
  repositoriesRoots?: readonly string[];
  /** Where nothing is named, the repository around this folder is served. Default: the working directory. */
  cwd?: string;
  /** What the client's roots do to the repositories. Default `narrow`. */
  roots?: RootsMode;
  /** Runs the hooks of the repository. Default false. */
  runHooks?: boolean;
  /** Signs commits and tags, as the user's own configuration says. Default false. */
  sign?: boolean;
  /** Runs the filters of the user's own configuration, such as Git LFS. Default false. */
  filters?: boolean;
  /** Discards work and deletes without asking the user. Default false. */
  allowDiscard?: boolean;
  /** Folders whose repositories are opened although another user owns them or their configuration names programs. */
  trust?: readonly string[];
  /** Keys of settings that a repository may hold although they are not known to be harmless. */
  allowSetting?: readonly string[];
  /** Hides messages and contents of commits by any author but the configured user. Default false. */
  lockdown?: boolean;
  /** Protocols of the toolset `remote`. Default https, http and ssh. */
  protocols?: readonly string[];
  /** The git program. Default: the one at its usual path, then that of PATH. */
  git?: string | undefined;
  /** Tools that list and change, such as `git_tag`, only list. Default false. */
  readOnly?: boolean;
  /** The tools that the operator has switched on; the instructions name the toolsets that are off. */
  switches?: ToolSwitches;
  /** Saves context: no text appears twice in a reply, and the list of tools has no output schemas. Default false. */
  lean?: boolean;
  /** Size limit of one reply, in bytes. Default 2,500,000. */
  maxResultBytes?: number;
  /** Longest time for one request, in milliseconds; a git that changes something, with its hooks, has a little less. Default 120,000. */
  timeout?: number;
  /** Milliseconds between two comparisons of a resource that is subscribed to. Default 1500. */
  lookMs?: number;
  /** The environment with the home folder and the identity of the user. Default: that of the process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Secrets that seal cursors, the same for all processes of one service: the first seals, all of them open. Default: a random one. */
  stateKeys?: readonly string[];
}

export interface CreatedServer {
  readonly server: Server;
  readonly sandbox: SandboxConfiguration;
  readonly git: string | undefined;
}

const NAME = "oarlock-git";
export const version = "0.1.0";
const DEFAULT_MAX_RESULT_BYTES = 2_500_000;
/** Kept of the time of a request, to look at what a stopped command has done and to say it. */
const REPLY_MS = 5000;
/** That of the kit. */
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_PROTOCOLS = ["https", "http", "ssh"];

const INSTRUCTIONS =
  "Work with git repositories. repo_path may be left out where one repository is served; file paths are relative to its top. A truncated reply says how to continue (cursor). Programs that a repository names (hooks, filters) do not run.";
const TOOLSETS = [
  { name: "integrate", purpose: "revert, cherry-pick, rebase, bisect, init, commits by author", reading: "bisect, commits by author" },
  { name: "remote", purpose: "clone, fetch, pull, push" },
];

/**
 * Creates the server. `sandbox`: the folders that are served, and those that cannot be. `git`: the program that was found.
 * @example
 * const { server } = await createServer({ repositories: ["/home/me/project"] });
 */
export async function createServer(options: Options): Promise<CreatedServer> {
  const { repositories: named = [], repositoriesRoots = [], cwd, roots = "narrow", env = process.env } = options;
  const sandbox = configureSandbox({ repositories: named, roots: repositoriesRoots, cwd });
  const git = options.git ?? findGit({ platform, env });
  const trusted = (options.trust ?? []).flatMap((path) => {
    const folder = resolveFolder(path);
    return "real" in folder ? folder.real : [];
  });
  const { timeout = DEFAULT_TIMEOUT_MS } = options;
  const configuration: ServerConfiguration = {
    folders: sandbox.folders,
    roots,
    trusted,
    allowedSettings: options.allowSetting ?? [],
    lockdown: options.lockdown ?? false,
    maxResultBytes: options.maxResultBytes ?? DEFAULT_MAX_RESULT_BYTES,
    changeTimeoutMs: timeout - Math.min(REPLY_MS, timeout / 10),
    allowDiscard: options.allowDiscard ?? false,
    readOnly: options.readOnly ?? false,
    runHooks: options.runHooks ?? false,
    sign: options.sign ?? false,
    filters: options.filters ?? false,
    git,
    lookMs: options.lookMs,
    network: { protocols: options.protocols?.length ? options.protocols : DEFAULT_PROTOCOLS, env },
    env,
    cursors: CursorSealer.fromSecrets(options.stateKeys ?? [], NAME),
  };
  const server = defineServer({
    name: NAME,
    title: "Git",
    version,
    extensions: [
      skills({ dir: new URL("../skills", import.meta.url), base: "skill://oarlock-git" }),
      apps({ views: VIEWS }),
      hostHints(hostHintsOf({ allowDiscard: options.allowDiscard ?? false })),
    ],
    instructions: INSTRUCTIONS + toolsetNotice(TOOLSETS, options.switches),
    followsRoots: roots !== "ignore",
    lazy: { load: async () => (await import("./offer.ts")).createFeatures(configuration, options.lean === true) },
  });
  return { server, sandbox, git };
}
