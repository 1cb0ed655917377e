// What users of file servers complain about, and the answer here. The manual has these rows; each reference is in the title of a test.

export interface Complaint {
  /** Issues, as `repository#number`; `servers` is modelcontextprotocol/servers. */
  readonly refs: readonly string[];
  readonly complaint: string;
  readonly here: string;
}

export const COMPLAINTS: readonly Complaint[] = [
  {
    refs: ["servers#3929", "servers#3602", "anthropics/claude-code#42643", "anthropics/claude-code#43783"],
    complaint: "The client's roots silently replace the directories that the operator named.",
    here: "Roots only narrow; `--roots ignore` and `--roots replace` say otherwise.",
  },
  {
    refs: ["servers#3133"],
    complaint: "There is no outer boundary that roots cannot widen.",
    here: "The directories of the command line are the boundary.",
  },
  {
    refs: ["servers#896", "servers#735", "servers#1067", "servers#3419"],
    complaint: "`search_files` is taken for grep, finds nothing, and models give up.",
    here: "Its description says that it looks at names and not into files; `search_file_contents` looks into them.",
  },
  {
    refs: ["servers#335"],
    complaint: "No search inside files, no snippet of a large one.",
    here: "`search_file_contents` with context lines; `read_text_file` with `offset` and `limit`.",
  },
  {
    refs: ["servers#1077", "janhq/jan#7317"],
    complaint: "`directory_tree` has no limit and fills the context.",
    here: "At most 62,000 bytes and 5,000 entries unless `maxEntries` asks for more, `maxDepth`, `respectGitignore`; what is left out is counted.",
  },
  {
    refs: ["servers#2034"],
    complaint: "A failed edit does not say where it went wrong.",
    here: "The error names the nearest place by line and column, the first difference there, and what it comes from: quotes, pasted line numbers, a stale line.",
  },
  {
    refs: ["servers#4512"],
    complaint: "Replacing by rename breaks hard links and watchers.",
    here: "A write still takes the name in one step: other names keep the old content, and subscriptions follow the path.",
  },
  {
    refs: ["servers#3199"],
    complaint: "On Windows a file that is open in an editor cannot be replaced (EPERM).",
    here: "Tried again for two seconds; then the write fails in words, the old content stays, nothing is left beside it.",
  },
  { refs: ["servers#4115"], complaint: "An edit loses the execute bit.", here: "The mode is kept, from the first moment of the new file." },
  {
    refs: ["servers#4138", "anthropics/claude-code#15060"],
    complaint: "A write is reported and nothing is on the disk.",
    here: "Success is said after the length was checked and the bytes were brought to the disk, with their etag.",
  },
  {
    refs: ["servers#235", "servers#4129"],
    complaint: "A mapped network drive becomes a UNC path and is refused.",
    here: "Both spellings of a directory are known, and shares are compared as Windows does.",
  },
  {
    refs: ["servers#1838"],
    complaint: "The case of a drive letter decides what is allowed.",
    here: "It does not matter.",
  },
  {
    refs: ["servers#632", "servers#3505"],
    complaint: "No read-only mode.",
    here: "`--read-only` offers no tool that writes; `DIR:ro` for one directory.",
  },
  {
    refs: ["servers#519", "servers#1581"],
    complaint: "No copy: models write files again, token by token.",
    here: "`copy_file`, for directories too, by the system's own copy.",
  },
  {
    refs: ["servers#2807"],
    complaint: "No append: a line more is a whole file read and written.",
    here: "`write_file` with `mode: append`, in place, for files of any size.",
  },
  {
    refs: ["servers#2102", "servers#4461", "rust-mcp-filesystem#35"],
    complaint: "No reading of a range of lines.",
    here: "`offset` and `limit`; a cut reply gives `nextOffset`.",
  },
  { refs: ["servers#4666"], complaint: "Head and tail break characters of several bytes.", here: "They do not, wherever a block ends." },
  {
    refs: ["servers#2534", "servers#297"],
    complaint: "Resources are announced and there are none.",
    here: "`file:///{+path}` with completion and subscription.",
  },
  {
    refs: ["modelcontextprotocol/typescript-sdk#2721", "servers#4772"],
    complaint: "Hosts refuse the schemas, and with them the server.",
    here: "Every schema is kept to what all known hosts take.",
  },
  {
    refs: ["rust-mcp-filesystem#87"],
    complaint: "Native Windows paths are refused, `/C/…` is accepted.",
    here: "Both are one path on Windows.",
  },
  {
    refs: ["DesktopCommanderMCP#554"],
    complaint: "An edit that makes a file longer cuts off its end.",
    here: "The new file must have the length that was meant before it takes the name.",
  },
  {
    refs: ["DesktopCommanderMCP#631"],
    complaint: "Reading leaves a handle open.",
    here: "Every handle is closed with its call, also after errors.",
  },
  {
    refs: ["DesktopCommanderMCP#420", "DesktopCommanderMCP#219", "DesktopCommanderMCP#374", "DesktopCommanderMCP#406"],
    complaint: "New files escape through links, callers switch the sandbox off, a history leaks secrets.",
    here: "Links are followed inside only; no tool changes what is allowed; calls are not recorded, and `--no-trash` keeps no old content.",
  },
];
