// What users of git servers complain about, and the answer here. The manual has these rows; each reference is in the title of a test.

export interface Complaint {
  /** Issues, as `repository#number`; `servers` is modelcontextprotocol/servers. */
  readonly refs: readonly string[];
  readonly complaint: string;
  readonly here: string;
}

export const COMPLAINTS: readonly Complaint[] = [
  {
    refs: ["servers#604", "servers#4550", "servers#4552"],
    complaint: "Without `--repository` any repository of the machine can be opened; with it, older versions ignored it.",
    here: "Only named repositories are opened: work tree, git directory and borrowed object stores must lie inside. Without names, only the repository around the working directory.",
  },
  {
    refs: ["servers#3613"],
    complaint: "Roots that the client has removed are still honoured.",
    here: "The next call uses the new list; a list that becomes empty denies everything.",
  },
  {
    refs: ["servers#3029", "servers#3997", "servers#1991"],
    complaint: "`--repository .` or a sub-folder fails, though git itself would walk up.",
    here: "`.` is the working directory, `repo_path` may be any folder of the work tree, and a switch that names only a part fails with the top to name.",
  },
  {
    refs: ["servers#4469", "servers#4271", "servers#4399", "servers#4491", "servers#4484"],
    complaint: "`git_log` has two shapes, date filters scramble it, and an unknown branch type is a success.",
    here: "One shape, git's own dates, and an error for an unknown value.",
  },
  {
    refs: ["servers#619"],
    complaint: "Commits are made as root of the container; the committer is unknown.",
    here: "The committer comes from `GIT_AUTHOR_NAME` and similar variables, the repository, or the user's own configuration. Without one the call fails.",
  },
  {
    refs: ["servers#2981"],
    complaint: "No signed commits.",
    here: "`--sign` signs by the user's own configuration and never falls back to unsigned.",
  },
  {
    refs: ["servers#1381", "servers#518", "servers#1923", "servers#3787"],
    complaint: "No clone, fetch, pull or push.",
    here: "The toolset `remote`.",
  },
  { refs: ["servers#4791"], complaint: "No worktrees; callers fall back to the shell.", here: "`git_worktree`." },
  {
    refs: ["servers#1317"],
    complaint: "It starts, prints nothing, and people think that it hangs.",
    here: "The server prints one line on stderr when it is ready.",
  },
  {
    refs: ["servers#2757", "CVE-2026-27735"],
    complaint: "`git_add` leaves the repository by `../`, and several tools take options for values.",
    here: "Paths are literal and inside; revisions become object ids first; options come only from code.",
  },
  {
    refs: ["MarcusJellinghaus/mcp-workspace#204"],
    complaint: "Commit texts that are not ASCII are mangled by the locale.",
    here: "Text is decoded independently of the locale.",
  },
  {
    refs: ["gitpython-developers/GitPython#1631", "gitpython-developers/GitPython#483"],
    complaint: "File names and messages that are not UTF-8 raise an error.",
    here: "Names are shown with escapes and accepted back as shown; messages are decoded.",
  },
  {
    refs: ["HenriGrimm/Minnow#439"],
    complaint: "One large diff fills the whole context.",
    here: "A budget for patches, a list of all files, and a cursor.",
  },
  {
    refs: ["MrLesk/Backlog.md#403", "wandercom/kindex#18", "riponcm/projectmem#4"],
    complaint: "git inherits the pipe of the protocol and hangs.",
    here: "git gets no input and no terminal, and has a deadline.",
  },
  {
    refs: ["Dave-London/Pare#220"],
    complaint: "Percent signs are eaten by a shell.",
    here: "There is no shell.",
  },
  {
    refs: ["cyanheads/git-mcp-server#32", "cyanheads/git-mcp-server#2"],
    complaint: "Nothing works until a working directory was set by another call.",
    here: "`repo_path` may be left out where one repository is served, and calls keep no state.",
  },
  {
    refs: ["cyanheads/git-mcp-server#56"],
    complaint: "Clone, worktrees and links leave the boundary; reading modes change things.",
    here: "One check for every entry point, and `--read-only` registers no tool that writes.",
  },
  {
    refs: ["github/github-mcp-server#181", "github/github-mcp-server#425", "github/github-mcp-server#430", "github/github-mcp-server#1286"],
    complaint: "Replies are too large, page 1 is asked for again and again, and the list of tools eats the context.",
    here: "Every reply has a limit and a cursor; the list of tools has at most 20 KB, and further toolsets are off by default.",
  },
  {
    refs: ["gitkraken/gk-cli#222"],
    complaint: "Every tool asks for an account, even for local work.",
    here: "No account, and no network without the toolset `remote`.",
  },
  {
    refs: ["v0lka/c0wrk#41"],
    complaint: "A hardened git commits without hooks or signature, silently.",
    here: "`git_commit` reports what did not run in text (once in a session) and result, and the switch that changes it.",
  },
];
