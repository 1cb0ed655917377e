// Where this server differs from the reference server (mcp-server-git of July 2026) on purpose. The manual lists exactly these, and each is
// shown by a test whose title names it as `deviation <id>`.

export interface Deviation {
  /** What docs/git.md says. */
  readonly what: string;
  /** Why it is better so. */
  readonly why: string;
}

export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  boundary: {
    what: "Only repositories that the operator names are opened, or the one around the working directory. `repo_path` may be any path inside, and may be left out where one repository is served.",
    why: "Without `--repository` the reference server opens every repository of the machine.",
  },
  hooks: {
    what: "Hooks, signers and other programs that a repository names do not run. `git_commit` reports it; `--run-hooks` and `--sign` change it.",
    why: "A repository from an unknown source must not be able to run programs.",
  },
  configuration: {
    what: "A repository whose own configuration holds a setting that could run something, and that cannot be overridden, or includes a file with such a setting or one that a checkout could change, is refused without `--allow-setting` or `--trust`, one of another user without `--trust`. Of the system and user configuration only what concerns line ends and file system, the committer, signing, filters and remotes is used.",
    why: "Settings such as hooks run commands, and an included file may hold them.",
  },
  "empty-commits": {
    what: "`git_commit` with nothing staged is an error; `allow_empty` makes an empty commit.",
    why: "The reference server silently made empty commits.",
  },
  errors: {
    what: "Failures are errors (`isError`) with a next step: similar names for an unknown revision, the lock that is held, the conflict in progress.",
    why: "A model does not notice an error that is reported as success.",
  },
  dates: {
    what: "`start_timestamp` and `end_timestamp` mean what `--since` and `--until` mean to git; a date without a time of day is the whole day.",
    why: "The reference server parsed them by itself and scrambled every commit after the first.",
  },
  "log-text": {
    what: "Entries of `git_log` and `git_show` have the plain hash, `Name <email>`, an ISO date and the message.",
    why: "The reference server wrote Python's own form of its objects.",
  },
  budget: {
    what: "Diffs, histories, lists and blames are bounded; omitted parts are named, and a cursor continues. Long patches of lock files and generated files are counted, not shown.",
    why: "One large diff filled the whole context.",
  },
  literal: {
    what: "Paths are literal names, except `.`; values that begin with `-` are refused.",
    why: "A name with a star must name one file, and no value from a model may become an option.",
  },
  filters: {
    what: "A file whose attributes name a filter, such as that of Git LFS, is neither staged nor written: the call is refused. `--filters` runs the filters of the user's own configuration.",
    why: "Without its filter, the content of a large file would be stored in the history, or a pointer be written in its place.",
  },
  submodules: {
    what: "Diffs leave out changes inside submodules. `git_status` counts them; a submodule that cannot be opened safely is named.",
    why: "git would start another git in them, with their configuration.",
  },
  replace: {
    what: "Replace refs and grafts are not applied.",
    why: "Replies show the real content of the commits.",
  },
  ignore: {
    what: "The user's own ignore file (`core.excludesFile`) is not used; `.gitignore` and `.git/info/exclude` are. So it is with files that a repository's own configuration names (`core.excludesFile`, `core.attributesFile`): replies say so where they would count.",
    why: "The same files are ignored for all users of the repository.",
  },
};
