// The environment of every git process. It is built from nothing: of the machine and the user only those settings get in that
// `configuration/user-settings.ts` lists. Settings of a repository that could start a program are overridden here.
import { emptyFolder, NULL_FILE, pathRules, systemPath, systemVariables, thisMachine, type Machine } from "../../platform.ts";

/** Settings that start no program and read no file outside the repository, by value. In the environment they beat those of any file. */
const SAFE_VALUES: Readonly<Record<string, readonly string[]>> = {
  [NULL_FILE]: ["core.attributesFile", "core.excludesFile", "diff.orderFile", "commit.template"],
  false: [
    "core.fsmonitor",
    "core.sshCommand",
    "core.quotePath",
    "color.ui",
    "advice.detachedHead",
    "commit.gpgSign",
    "tag.gpgSign",
    "push.gpgSign",
    "log.showSignature",
    "log.follow",
    "merge.verifySignatures",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "credential.interactive",
    "maintenance.auto",
    "fetch.writeCommitGraph",
    "submodule.recurse",
    "fetch.recurseSubmodules",
    "status.submoduleSummary",
    "rerere.enabled",
    // The option against it came with git 2.38.
    "rebase.updateRefs",
    // A part of the index, with names of folders that git looks into.
    "core.untrackedCache",
  ],
  cat: ["core.pager"],
  ":": ["core.editor", "sequence.editor"],
  "": ["mailmap.file", "core.askPass", "core.gitProxy", "gpg.ssh.defaultKeyCommand", "credential.helper"],
  "#": ["core.commentChar"],
  never: ["column.ui", "protocol.allow"],
  true: ["advice.addIgnoredFile", "log.showRoot", "user.useConfigOnly"],
  "0": ["gc.auto"],
  dirty: ["diff.ignoreSubmodules"],
  no: ["push.recurseSubmodules"],
  explicit: ["safe.bareRepository"],
  "UTF-8": ["i18n.logOutputEncoding", "i18n.commitEncoding"],
  // Part of each line in the plan of a rebase: with a line break in it, it adds commands of its own.
  "%s": ["rebase.instructionFormat"],
  // Several threads read entries of the index from where the index says; one reads them as `safety/git-directory/index-check.ts` does.
  "1": ["index.threads"],
};

const SAFE_SETTINGS: readonly Setting[] = Object.entries(SAFE_VALUES).flatMap(([value, keys]) => keys.map((key): Setting => [key, value]));

/** What keeps git from writing to `.git` by another of its names: a repository cannot switch it off where the file system has those names. */
const PROTECTION: Readonly<Partial<Record<NodeJS.Platform, Setting>>> = {
  win32: ["core.protectNTFS", "true"],
  darwin: ["core.protectHFS", "true"],
};

const safeSettings = (machine: Machine): Setting[] => {
  const protection = PROTECTION[machine.platform];
  return [["core.hooksPath", emptyFolder(machine)], ...SAFE_SETTINGS, ...(protection === undefined ? [] : [protection])];
};

/** Made with the first command: that loads node:crypto, which a start does not need. */
let unguessableProtocol: string | undefined;

/**
 * The only allowed protocol of commands that use no network. An empty list allows the protocol with the empty name (git 2.36 to 2.39.3),
 * and for a name that a repository can know git starts a helper, or an alias, of that name.
 */
export const noProtocol = (): string => (unguessableProtocol ??= `none/${globalThis.crypto.randomUUID()}`);

export type Environment = Readonly<Record<string, string>>;
export type Setting = readonly [key: string, value: string];

/** Variables of every process. */
function baseVariables(git: string, machine: Machine): Record<string, string> {
  const { dirname, delimiter } = pathRules(machine.platform);
  const nowhere = emptyFolder(machine);
  return {
    // git finds its own programs itself; on Windows its libraries lie beside it.
    PATH: machine.platform === "win32" ? [dirname(git), systemPath(machine)].join(delimiter) : systemPath(machine),
    ...systemVariables(machine),
    HOME: nowhere,
    XDG_CONFIG_HOME: nowhere,
    LC_ALL: "C",
    // Dates are printed and read in the time zone of the server.
    ...(machine.env["TZ"] !== undefined && { TZ: machine.env["TZ"] }),
    TERM: "dumb",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: NULL_FILE,
    GIT_CONFIG_GLOBAL: NULL_FILE,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_SSH_COMMAND: "false",
    GIT_PAGER: "cat",
    // git knows ":" and starts no process for it.
    GIT_EDITOR: ":",
    GIT_SEQUENCE_EDITOR: ":",
    GIT_OPTIONAL_LOCKS: "0",
    // git fills its output buffer before it writes: a write for each commit would wake the server each time.
    GIT_FLUSH: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    // Both keep a partial clone from fetching; `safety/partial-clone.ts` says which versions do not know the first.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: noProtocol(),
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_GRAFT_FILE: `${nowhere}/none`,
    GIT_LITERAL_PATHSPECS: "1",
    GIT_MERGE_AUTOEDIT: "no",
    GIT_ADVICE: "0",
    // No templates: those of the machine hold hooks.
    GIT_TEMPLATE_DIR: "",
  };
}

/** Settings as git reads them from the environment; the last one of a key counts. */
function settingVariables(all: readonly Setting[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(all.length) };
  all.forEach(([key, value], at) => {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  });
  return env;
}

/** The environment with one more setting, which beats those before it. */
export function withSetting(env: Environment, [key, value]: Setting): Environment {
  const count = Number(env["GIT_CONFIG_COUNT"]);
  return { ...env, GIT_CONFIG_COUNT: String(count + 1), [`GIT_CONFIG_KEY_${count}`]: key, [`GIT_CONFIG_VALUE_${count}`]: value };
}

export interface RepositoryFolders {
  readonly gitDir: string;
  /** Undefined for a bare repository. */
  readonly workTree: string | undefined;
}

/** The environment for commands in a repository; `more` settings override the safe ones. */
export function repositoryEnvironment(
  git: string,
  { gitDir, workTree }: RepositoryFolders,
  more: readonly Setting[] = [],
  machine: Machine = thisMachine,
): Environment {
  return {
    ...baseVariables(git, machine),
    GIT_DIR: gitDir,
    ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
    ...settingVariables([...safeSettings(machine), ...(workTree === undefined ? [["core.bare", "true"] as const] : []), ...more]),
  };
}

/** The environment for commands that need no repository, such as reading a configuration file. */
export const environmentWithoutRepository = (git: string, machine: Machine = thisMachine): Environment => ({
  ...baseVariables(git, machine),
  GIT_DIR: emptyFolder(machine),
  ...settingVariables(safeSettings(machine)),
});

/** The environment for creating a repository. */
export const newRepositoryEnvironment = (git: string, more: readonly Setting[] = [], machine: Machine = thisMachine): Environment => ({
  ...baseVariables(git, machine),
  ...settingVariables([...safeSettings(machine), ...more]),
});
