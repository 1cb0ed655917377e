// The switches of this server, in addition to those of every server.
import type { Flags } from "@oarlock/cli";

export const flags = {
  repository: { type: "paths", short: "r", value: "PATH", help: "a repository to serve, by its top folder" },
  repositoriesRoot: { type: "paths", value: "DIR", help: "a folder: all repositories below are served" },
  roots: {
    type: "choice",
    choices: ["narrow", "replace", "ignore"],
    default: "narrow",
    help: "whether the client's roots narrow the repositories, replace them, or are ignored",
  },
  runHooks: { type: "boolean", help: "run the hooks of the repository, as git does at a terminal" },
  sign: { type: "boolean", help: "sign commits and tags by your own git configuration" },
  filters: { type: "boolean", help: "run the filters of your own git configuration, such as Git LFS" },
  allowDiscard: { type: "boolean", help: "discard work and delete without asking the user" },
  trust: {
    type: "paths",
    value: "PATH",
    help: "open repositories at and below PATH although another user owns them or their configuration names programs",
  },
  allowSetting: {
    type: "list",
    value: "KEY",
    help: "accept this setting of a repository although it is not known to be harmless",
  },
  lockdown: { type: "boolean", help: "hide messages and contents of commits by any author but the configured user" },
  protocols: { type: "names", value: "A,B", help: "protocols of the toolset remote; default https,http,ssh" },
  git: { type: "path", value: "FILE", help: "the git program, instead of the one at its usual place" },
  lean: { type: "boolean", help: "save context: no text twice in a reply, and no output schemas" },
  verbose: { type: "boolean", short: "v", help: "print the served repositories at the start" },
  veryVerbose: { type: "boolean", short: "vv", help: "the same as --verbose" },
} as const satisfies Flags;
