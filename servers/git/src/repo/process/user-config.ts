// The user's own git configuration: who commits, how to sign, how to reach remotes. git itself reads it, with the conditions (includeIf)
// that it may hold for a repository.
import { homedir } from "node:os";
import { parseConfigList, type ConfigEntry } from "./config-list.ts";
import { environmentWithoutRepository } from "./environment.ts";
import type { GitContext } from "./git-process.ts";
import { runRead } from "./read-command.ts";

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

interface WithContext {
  readonly context: GitContext;
}

const CACHE_MS = 5000;
const MAX_BYTES = 4 * 1024 * 1024;
const cache = new WeakMap<WithContext, { readonly at: number; readonly entries: Promise<ConfigEntry[]> }>();

/** The user's settings as they apply in a repository, cached for five seconds. */
export function userConfig(repository: WithContext, host: HostEnvironment): Promise<ConfigEntry[]> {
  const cached = cache.get(repository);
  if (cached !== undefined && Date.now() - cached.at < CACHE_MS) return cached.entries;
  const entries = readUserConfig(repository.context, host);
  cache.set(repository, { at: Date.now(), entries });
  return entries;
}

/** The user's settings outside any repository. */
export const userConfigWithoutRepository = (git: string, host: HostEnvironment): Promise<ConfigEntry[]> =>
  readUserConfig({ git, env: environmentWithoutRepository(git), cwd: "/" }, host);

async function readUserConfig(
  { env: { GIT_CONFIG_GLOBAL: _hidden, ...env }, ...context }: GitContext,
  host: HostEnvironment,
): Promise<ConfigEntry[]> {
  const { exitCode, stdout } = await runRead(
    { ...context, env: { ...env, ...homeVariables(host) } },
    { args: ["config", "--global", "--includes", "--list", "-z"], maxBytes: MAX_BYTES },
  );
  // git fails where there is no such file.
  return exitCode === 0 ? parseConfigList(stdout) : [];
}

/** The variables that tell git where the user's files are. */
export function homeVariables(host: HostEnvironment): Record<string, string> {
  const { HOME = homedir(), XDG_CONFIG_HOME } = host;
  return { HOME, XDG_CONFIG_HOME: XDG_CONFIG_HOME ?? "" };
}
