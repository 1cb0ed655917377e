// What is known of a repository that may be opened: where its parts are, and that neither they nor its configuration are a danger.
// Kept per repository and looked at again when something has changed, so that an ordinary call costs a few stats.
import { lstatSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { judgeConfig, lastOf, readConfigFile, type ConfigEntry } from "./repository-config.ts";
import type { Found } from "./repository-discovery.ts";
import { GitError, clip } from "../errors.ts";
import { withoutPasswords } from "./credential-redaction.ts";
import { checkOwner, stamp, Structure } from "./git-directory-check.ts";
import type { Area } from "./sandbox.ts";

export interface Facts extends Found {
  readonly config: readonly ConfigEntry[];
  /** Settings that choose programs or ways for the network. */
  readonly network: readonly string[];
  /** The operator vouches for it: its own programs run as git runs them. */
  readonly trusted: boolean;
}

interface Kept {
  readonly configSignature: string;
  readonly facts: Facts;
  readonly structure: Structure;
}

const MOST_KEPT = 256;

export class FactsKeeper {
  readonly #git: string;
  readonly #trusted: (real: string) => boolean;
  /** By area: what is inside of one may be outside of another. */
  readonly #kept = new WeakMap<Area, Map<string, Kept>>();

  constructor(git: string, trusted: (real: string) => boolean) {
    this.#git = git;
    this.#trusted = trusted;
  }

  async of(area: Area, found: Found, given: string, signal?: AbortSignal): Promise<Facts> {
    let known = this.#kept.get(area);
    if (known === undefined) this.#kept.set(area, (known = new Map()));
    const key = `${found.top}\0${found.gitDir}\0${found.commonDir}`;
    const configSignature = this.#configSignature(found);
    const kept = known.get(key);
    if (kept?.configSignature === configSignature) {
      kept.structure.check(given);
      return kept.facts;
    }
    const trusted = this.#trusted(found.top);
    if (!trusted) checkOwner(found, given);
    const structure = new Structure(area, found);
    structure.check(given);
    const facts = { ...found, ...(await this.#configOf(found, given, trusted, signal)), trusted };
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, { configSignature, facts, structure });
    return facts;
  }

  #configSignature({ gitDir, commonDir, top }: Found): string {
    const entry = lstatSync(join(top, ".git"), { throwIfNoEntry: false });
    // A folder changes with each lock that is taken in it; what it is does not.
    const place = entry?.isDirectory() === true ? `${entry.dev}:${entry.ino}` : stamp(join(top, ".git"));
    return [stamp(join(commonDir, "config")), stamp(join(gitDir, "config.worktree")), place].join(" ");
  }

  async #configOf(found: Found, given: string, trusted: boolean, signal?: AbortSignal): Promise<Pick<Facts, "config" | "network">> {
    const { commonDir, gitDir, top, bare } = found;
    let config = await readConfigFile(this.#git, join(commonDir, "config"), signal);
    // Whether git reads this one is a setting with many spellings.
    if (config.some(({ key }) => key === "extensions.worktreeconfig"))
      config = [...config, ...(await readConfigFile(this.#git, join(gitDir, "config.worktree"), signal))];
    const workTree = lastOf(config, "core.worktree");
    // A submodule says so where it is; anything else would have git work on other files than were asked for.
    if (workTree !== undefined && (bare || !isSame(resolve(gitDir, workTree), top)))
      throw new GitError(
        "denied",
        `Access denied - the configuration of ${clip(given)} puts its work tree somewhere else (core.worktree).`,
      );
    const { foreign, network } = judgeConfig(config.filter(({ key }) => key !== "core.worktree"));
    if (foreign.length > 0 && !trusted)
      throw new GitError(
        "unsafe",
        `Refused: the configuration of ${clip(given)} holds settings that could run something: ${foreign
          .slice(0, 5)
          .map((key) => clip(withoutPasswords(key), 60))
          .join(
            ", ",
          )}${foreign.length > 5 ? ` and ${foreign.length - 5} more` : ""}. Remove them (git config --unset), or, if you know where the repository comes from, start the server with --trust and its path.`,
      );
    return { config, network };
  }
}

function isSame(path: string, real: string): boolean {
  try {
    return realpathSync.native(path) === real;
  } catch {
    return false;
  }
}
