// The user's own git configuration, of which a few settings count: who commits, how to sign, which files to ignore. It is read by git's own
// parser, with the conditions that it may hold for this repository, and kept for a moment.
import { homedir } from "node:os";
import { environmentOf, environmentOfNone } from "./environment.ts";
import type { ConfigEntry } from "../safety/repository-config.ts";
import type { Repository } from "../repository.ts";
import { runGit, type Spawning } from "./git-process.ts";

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

const KEPT_MS = 5000;
const kept = new WeakMap<Repository, { at: number; entries: Promise<ConfigEntry[]> }>();

export function userConfig(repository: Repository, host: HostEnvironment): Promise<ConfigEntry[]> {
  const known = kept.get(repository);
  if (known !== undefined && Date.now() - known.at < KEPT_MS) return known.entries;
  const entries = read(repository, host);
  kept.set(repository, { at: Date.now(), entries });
  return entries;
}

function read({ spawning, facts }: Repository, host: HostEnvironment): Promise<ConfigEntry[]> {
  const place = { gitDir: facts.gitDir, workTree: facts.bare ? undefined : facts.top };
  return listed({ ...spawning, env: environmentOf(spawning.git, place) }, host);
}

/** As it is where there is no repository. */
export const userConfigOfNone = (git: string, host: HostEnvironment): Promise<ConfigEntry[]> =>
  listed({ git, env: environmentOfNone(git), cwd: "/" }, host);

async function listed({ env: { GIT_CONFIG_GLOBAL: _none, ...env }, ...spawning }: Spawning, host: HostEnvironment): Promise<ConfigEntry[]> {
  const { code, stdout } = await runGit(
    { ...spawning, env: { ...env, ...homeOf(host) } },
    { args: ["config", "--global", "--includes", "--list", "-z"], maxBytes: 4 * 1024 * 1024 },
  );
  // No such file: nothing is set.
  if (code !== 0) return [];
  return stdout
    .toString("utf8")
    .split("\0")
    .flatMap((record) => {
      const end = record.indexOf("\n");
      return record === ""
        ? []
        : [{ key: end === -1 ? record : record.slice(0, end), value: end === -1 ? undefined : record.slice(end + 1) }];
    });
}

/** Where the user's files are. */
export function homeOf(host: HostEnvironment): Record<string, string> {
  const { HOME = homedir(), XDG_CONFIG_HOME } = host;
  return { HOME, XDG_CONFIG_HOME: XDG_CONFIG_HOME ?? "" };
}
