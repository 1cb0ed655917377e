// Which settings of the machine and the user reach git, and for what. Everything else stays out, so that a program which they name starts
// only where it is listed here. docs/security.md shows this table; a test compares them.
import type { ConfigEntry } from "../process/config-list.ts";
import type { Setting } from "../process/environment.ts";

export interface UserSettingRow {
  /** Keys in lower case, as git lists them, or sections with all that is in them: `http.*`. */
  readonly keys: string;
  readonly reach: "every command" | "network" | "author and committer" | "--sign" | "--filters";
  /** Why they may reach git. */
  readonly why: string;
}

export const USER_SETTINGS: readonly UserSettingRow[] = [
  {
    keys: "core.autocrlf core.eol core.safecrlf",
    reach: "every command",
    why: "choose line ends in the work tree; without them a file that git itself wrote looks changed in every line",
  },
  {
    keys: "core.symlinks core.filemode core.ignorecase core.precomposeunicode core.longpaths core.fscache",
    reach: "every command",
    why: "tell what the file system can do; they name no file and no program",
  },
  {
    keys: "core.protectntfs core.protecthfs",
    reach: "every command",
    why: "refuse names that other systems take for `.git`; only `true` reaches git, and it is set on Windows and macOS",
  },
  {
    keys: "credential.* http.* url.* ssh.* core.sshcommand core.gitproxy",
    reach: "network",
    why: "programs, certificates and addresses that the user or the administrator chose for remotes",
  },
  {
    keys: "user.name user.email author.name author.email committer.name committer.email",
    reach: "author and committer",
    why: "text of a commit, and only where the repository sets none",
  },
  {
    keys: "gpg.format gpg.program gpg.openpgp.program gpg.ssh.program gpg.x509.program gpg.ssh.defaultkeycommand user.signingkey",
    reach: "--sign",
    why: "the user's own signer, where the operator allows signatures",
  },
  { keys: "filter.* lfs.*", reach: "--filters", why: "the user's own filters, where the operator allows them" },
];

/** Only the value that protects reaches git. */
const PROTECTING = /^core\.protect/;
const TRUE = /^(?:true|yes|on|1)$/i;

/** Whether settings with this key reach git for this. */
export function reaches(reach: UserSettingRow["reach"], key: string): boolean {
  const name = key.toLowerCase();
  return USER_SETTINGS.some(
    (row) =>
      row.reach === reach &&
      row.keys.split(" ").some((pattern) => (pattern.endsWith(".*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern)),
  );
}

/**
 * The settings for every command in a repository that sets the `own` keys itself: in the environment, where these go, they would beat its
 * own ones.
 */
export function settingsForEveryCommand(entries: readonly ConfigEntry[], own: Iterable<string> = []): Setting[] {
  const settings = new Map<string, string>();
  for (const { key, value = "true" } of entries) if (reaches("every command", key)) settings.set(key, value);
  for (const key of own) settings.delete(key);
  return [...settings].filter(([key, value]) => !PROTECTING.test(key) || TRUE.test(value));
}

/** What `git init` and `git clone` find out by a look at the file system, and then set in the new repository itself. */
const PROBED: readonly string[] = ["core.filemode", "core.ignorecase", "core.precomposeunicode"];

/** The settings for creating a repository. */
export const settingsForNewRepository = (entries: readonly ConfigEntry[]): Setting[] => settingsForEveryCommand(entries, PROBED);
