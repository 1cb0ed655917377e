// The git configuration of the machine and of the user: who commits, how lines end, how to sign, how to reach remotes. git itself reads it,
// with the conditions (includeIf) that it may hold for a repository. It is read once, and again when one of its files has changed.
import { clip } from "@oarlock/domain-kit";
import { homeFolder, platform, userVariables, variablesOf, type HostEnvironment, type Machine } from "../../platform.ts";
import { GitError } from "../errors.ts";
import { parseConfigRecords, type ConfigEntry, type ConfigRecord } from "../process/config-list.ts";
import { environmentWithoutRepository, repositoryEnvironment } from "../process/environment.ts";
import type { GitContext } from "../process/git-process.ts";
import { runRead } from "../process/read-command.ts";
import { isInclude } from "../safety/settings/included-settings.ts";
import type { RepositoryState } from "../safety/repository-state.ts";
import { signatureOf, watchedFiles } from "./config-files.ts";

export interface UserConfig {
  /** The settings of the machine, then those of the user: the last one of a key counts. */
  readonly entries: readonly ConfigEntry[];
  /** The repository's own settings, with those of files that its configuration includes; undefined where it includes none. */
  readonly ownEntries?: readonly ConfigEntry[] | undefined;
}

interface Reading {
  readonly config: UserConfig;
  readonly files: readonly string[];
  /** Undefined where a file changed so shortly before that another change could have the same time. */
  readonly signature: string | undefined;
}

/** Where the reading of one configuration is kept; calls that come while it is read wait for it. */
interface Slot {
  reading?: Promise<Reading>;
}

/** Variables of the user that name other files. */
const FILE_VARIABLES = ["GIT_CONFIG_SYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"];
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_MESSAGE = 300;

/** What applies outside of any repository, by what git is started with; all servers of a process share it. */
const general = new Map<string, Slot>();
const MAX_GENERAL = 64;

export class UserConfigReader {
  readonly #git: string;
  readonly #machine: Machine;
  #general: Slot | undefined;
  readonly #byRepository = new WeakMap<RepositoryState, Slot>();

  constructor(git: string, env: HostEnvironment) {
    this.#git = git;
    this.#machine = { platform, env };
  }

  /**
   * The configuration as it applies in a repository that was checked, or outside of any. The same object as long as nothing has changed.
   * Throws a {@link GitError} where git cannot read it.
   */
  async read(state?: RepositoryState): Promise<UserConfig> {
    this.#general ??= generalSlot(contextOf(this.#git, undefined, this.#machine));
    const { config } = await this.#current(this.#general, undefined);
    const hasOwn = config.entries.some(({ key }) => key.startsWith("includeif.")) || state?.config.some(isInclude) === true;
    if (state === undefined || !hasOwn) return config;
    let slot = this.#byRepository.get(state);
    if (slot === undefined) this.#byRepository.set(state, (slot = {}));
    return (await this.#current(slot, state)).config;
  }

  async #current(slot: Slot, state: RepositoryState | undefined): Promise<Reading> {
    for (;;) {
      const { reading } = slot;
      const known = await reading?.catch(() => undefined);
      if (known !== undefined && known.signature === signatureOf(known.files).text) return known;
      // Another call may have begun to read it meanwhile.
      if (slot.reading === reading) return await (slot.reading = this.#readNew(state));
    }
  }

  async #readNew(state: RepositoryState | undefined): Promise<Reading> {
    const startedAt = Date.now();
    const records = await readConfig(contextOf(this.#git, state, this.#machine), this.#machine);
    const entries = records.filter(({ scope }) => scope === "system" || scope === "global");
    const ownEntries = records.filter(({ scope }) => scope === "local" || scope === "worktree");
    // `includeIf "onbranch:…"` depends on HEAD.
    const files = [...watchedFiles(records, this.#git, this.#machine), ...(state === undefined ? [] : [`${state.gitDir}/HEAD`])];
    const { text, changedAt } = signatureOf(files);
    return {
      config: { entries, ...(state?.config.some(isInclude) === true && { ownEntries }) },
      files,
      signature: isSettled(changedAt, startedAt) ? text : undefined,
    };
  }
}

function generalSlot(context: GitContext): Slot {
  const key = JSON.stringify(context);
  const known = general.get(key);
  if (known !== undefined) return known;
  const slot: Slot = {};
  if (general.size >= MAX_GENERAL) general.clear();
  general.set(key, slot);
  return slot;
}

/** A change this soon before the read may not be the last one with its time: file systems count in ticks of their clock. */
const CLOCK_TICK_MS = 50;

const isSettled = (changedAt: number, startedAt: number): boolean => startedAt - changedAt > CLOCK_TICK_MS;

function contextOf(git: string, state: RepositoryState | undefined, machine: Machine): GitContext {
  const base =
    state === undefined
      ? environmentWithoutRepository(git, machine)
      : repositoryEnvironment(git, { gitDir: state.gitDir, workTree: state.isBare ? undefined : state.top }, [], machine);
  const { GIT_CONFIG_NOSYSTEM: _nosystem, GIT_CONFIG_SYSTEM: _system, GIT_CONFIG_GLOBAL: _global, ...rest } = base;
  return { git, env: { ...rest, ...userVariables(machine), ...variablesOf(machine, FILE_VARIABLES) }, cwd: state?.top ?? "/" };
}

async function readConfig(context: GitContext, machine: Machine): Promise<ConfigRecord[]> {
  const { exitCode, stdout, stderr, isTruncated } = await runRead(context, {
    args: ["config", "--list", "--includes", "--show-scope", "--show-origin", "-z"],
    maxBytes: MAX_BYTES,
  });
  if (exitCode !== 0 || isTruncated) throw unreadable(isTruncated ? `it is larger than ${MAX_BYTES} bytes` : stderr, machine);
  return parseConfigRecords(stdout);
}

/** git itself does not work either then. To continue without the settings could store files with other line ends than the user wants. */
function unreadable(reason: string, machine: Machine): GitError {
  const home = homeFolder(machine);
  const text = [home, home.replaceAll("\\", "/")].reduce((message, path) => message.replaceAll(path, "~"), reason);
  const message = clip(text.replace(/^fatal: /, "").trim(), MAX_MESSAGE);
  return new GitError("failed", `The git configuration of this machine's user cannot be read: ${message}. Mend the file, then try again.`);
}
