// Where this server differs from the reference server (mcp-server-git of July 2026) on purpose. The README lists exactly these, and each is
// shown by a test whose title names it as `deviation <id>`.

export interface Deviation {
  /** What the README says. */
  readonly what: string;
  /** Why it is better so. */
  readonly why: string;
}

export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  boundary: {
    what: "Only the repositories that the operator names are opened, or the one around the working directory; any path in them will do, and `repo_path` may be left out where there is one.",
    why: "Without `--repository` the reference server opens every repository of the machine.",
  },
  hooks: {
    what: "Hooks and signers do not run, and nothing else that a repository names; `git_commit` says so, and `--run-hooks` and `--sign` change it.",
    why: "A repository that was fetched from anywhere must not be able to run programs.",
  },
  configuration: {
    what: "A repository whose own configuration holds more than harmless settings, or that another user owns, is refused unless the operator says `--trust`. System and user configuration are not read, but for who commits, signing and how to reach remotes.",
    why: "Configuration is program text: filters, drivers and includes run commands.",
  },
  "empty-commits": {
    what: "`git_commit` with nothing staged is an error; `allow_empty` makes an empty commit.",
    why: "The reference server made empty commits without a word.",
  },
  errors: {
    what: "Failures are errors (`isError`), in words that say what to do: the nearest names of an unknown revision, the lock that is held, the conflict in progress.",
    why: "An error that is told as success is not noticed.",
  },
  dates: {
    what: "`start_timestamp` and `end_timestamp` mean what `--since` and `--until` mean to git.",
    why: "The reference server parsed them by itself and scrambled every commit after the first.",
  },
  "log-text": {
    what: "Entries of `git_log` and `git_show` have the plain hash, `Name <email>`, an ISO date and the message.",
    why: "The reference server wrote Python's own form of its objects.",
  },
  budget: {
    what: "Diffs, histories, lists and blames are bounded; what was left out is named, and a cursor goes on. Long lock files and generated files are counted and not shown.",
    why: "One large diff filled the whole context.",
  },
  literal: {
    what: "Paths are literal names, but for `.`; values that begin with `-` are refused.",
    why: "A name with a star in it should name one file, and nothing that a model says should become an option.",
  },
  submodules: {
    what: "Changes inside submodules are not looked for; a submodule that stands at another commit is told.",
    why: "Git would start a git of its own in them, under their configuration.",
  },
  replace: {
    what: "Replace refs and grafts are not applied.",
    why: "What is shown is what the commits say.",
  },
  ignore: {
    what: "The user's own ignore file (`core.excludesFile`) is not used; `.gitignore` and `.git/info/exclude` are.",
    why: "User configuration is not read; what is ignored is the same for all who use the repository.",
  },
};
