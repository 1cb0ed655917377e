// Which changes of submodules a user does not want to see (submodule.<name>.ignore), by the configuration, then by .gitmodules.
import { join } from "node:path";
import { GitError } from "../../errors.ts";
import type { ConfigEntry } from "../../process/config-list.ts";
import type { Repository } from "../../repository.ts";
import { readConfigFile } from "../../safety/repository-config.ts";
import type { SubmoduleChange } from "../status-parser.ts";

const SETTING = /^submodule\.([^]*)\.(path|ignore)$/;

const IGNORED: Readonly<Record<string, readonly SubmoduleChange[]>> = {
  untracked: ["untracked content"],
  dirty: ["untracked content", "modified content"],
  all: ["untracked content", "modified content", "new commits"],
};

/** The changes that are left out, by the path of the submodule. */
export async function ignoredChanges(
  repository: Repository,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly SubmoduleChange[]>> {
  const ignored = new Map<string, readonly SubmoduleChange[]>();
  const pathOf = new Map<string, string>();
  for (const { key, value = "" } of [...(await readModules(repository, signal)), ...repository.ownSettings]) {
    const [, name = "", setting] = SETTING.exec(key) ?? [];
    if (setting === "path" && !pathOf.has(name)) pathOf.set(name, value);
    if (setting === "ignore") ignored.set(name, IGNORED[value] ?? []);
  }
  return new Map([...pathOf].map(([name, path]) => [path, ignored.get(name) ?? []]));
}

/** Empty for a file that git cannot read: it does not name what to ignore. */
async function readModules({ context, state }: Repository, signal?: AbortSignal): Promise<readonly ConfigEntry[]> {
  try {
    return await readConfigFile(context.git, join(state.top, ".gitmodules"), signal, "file .gitmodules");
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}
