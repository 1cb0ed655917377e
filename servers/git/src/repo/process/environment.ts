// The environment of every git process, built from nothing: no setting of the server's own environment, of the machine or of the
// user gets in, and what the repository's configuration could set to run something is set here, where nothing overrides it.
import { devNull } from "node:os";
import { dirname, join } from "node:path";

/** Settings on the command line beat those of any file. */
const SAFE: readonly (readonly [key: string, value: string])[] = [
  ["core.hooksPath", devNull],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", ":"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.attributesFile", devNull],
  ["core.excludesFile", devNull],
  ["core.quotePath", "false"],
  ["core.commentChar", "#"],
  ["sequence.editor", ":"],
  ["color.ui", "false"],
  ["column.ui", "never"],
  ["advice.detachedHead", "false"],
  ["advice.addIgnoredFile", "true"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["log.follow", "false"],
  ["log.showRoot", "true"],
  ["merge.verifySignatures", "false"],
  ["gpg.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.defaultKeyCommand", ""],
  ["credential.helper", ""],
  ["credential.interactive", "false"],
  ["protocol.allow", "never"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["fetch.writeCommitGraph", "false"],
  ["submodule.recurse", "false"],
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.orderFile", devNull],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["status.submoduleSummary", "false"],
  ["safe.bareRepository", "explicit"],
  ["user.useConfigOnly", "true"],
  ["i18n.logOutputEncoding", "UTF-8"],
  ["i18n.commitEncoding", "UTF-8"],
  ["rerere.enabled", "false"],
];

/** Folders that programs of the system stand in; git's own programs are found by git. */
const PLACES = process.platform === "win32" ? "C:\\Windows\\System32" : "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

export type Environment = Readonly<Record<string, string>>;
export type Setting = readonly [key: string, value: string];

/** What every process gets. */
function plain(git: string): Record<string, string> {
  return {
    PATH: process.platform === "win32" ? `${dirname(git)};${PLACES}` : PLACES,
    ...(process.platform === "win32" && { SystemRoot: "C:\\Windows" }),
    HOME: devNull,
    XDG_CONFIG_HOME: devNull,
    LC_ALL: "C",
    // Dates are shown and understood as they are where the server runs.
    ...(process.env["TZ"] !== undefined && { TZ: process.env["TZ"] }),
    TERM: "dumb",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_SSH_COMMAND: "false",
    GIT_PAGER: "cat",
    // Git knows this one, and starts nothing.
    GIT_EDITOR: ":",
    GIT_SEQUENCE_EDITOR: ":",
    GIT_OPTIONAL_LOCKS: "0",
    // A history is written by the page, not commit by commit: each write would wake us.
    GIT_FLUSH: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    // Both say the same; the first is known since 2.44, the second to all.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_GRAFT_FILE: join(devNull, "none"),
    GIT_LITERAL_PATHSPECS: "1",
    GIT_MERGE_AUTOEDIT: "no",
    GIT_ADVICE: "0",
    // None, instead of those of the machine, which hold hooks.
    GIT_TEMPLATE_DIR: "",
  };
}

/** Settings as git reads them from the environment; a later one of the same key counts. */
function settings(all: readonly Setting[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(all.length) };
  all.forEach(([key, value], at) => {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  });
  return env;
}

export interface Place {
  readonly gitDir: string;
  /** Undefined for a bare repository. */
  readonly workTree: string | undefined;
}

/** The environment for one repository, with `more` settings behind the safe ones. */
export function environmentOf(git: string, place: Place, more: readonly Setting[] = []): Environment {
  return {
    ...plain(git),
    GIT_DIR: place.gitDir,
    ...(place.workTree !== undefined && { GIT_WORK_TREE: place.workTree }),
    ...settings([...SAFE, ...(place.workTree === undefined ? [["core.bare", "true"] as const] : []), ...more]),
  };
}

/** The environment for reading a configuration file. */
export const environmentOfNone = (git: string): Environment => ({ ...plain(git), GIT_DIR: devNull, ...settings(SAFE) });

/** The environment for making a repository where there is none. */
export const environmentOfNew = (git: string, more: readonly Setting[] = []): Environment => ({
  ...plain(git),
  ...settings([...SAFE, ...more]),
});
