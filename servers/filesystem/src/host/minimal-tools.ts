// The tools of --toolsets minimal: enough for the twenty tasks that tooling/docs tests, in at most 1,200 tokens.
import type { MinimalTools } from "@oarlock/cli";

export const MINIMAL_TOOLS: MinimalTools = {
  read_text_file: { arguments: ["offset", "limit"], description: "Read a file as text: whole, or limit lines from offset." },
  write_file: { arguments: ["mode"], description: "Create a file or replace all of its content; mode append adds to its end." },
  edit_file: {
    arguments: ["edits"],
    description: "Replace exact pieces of a text file; gives the diff. Each oldText must occur exactly once.",
  },
  list_directory: { arguments: ["cursor"] },
  search_files: { description: "Find files and directories by a glob: `*.ts` in the directory itself, `**/*.ts` at any depth." },
  search_file_contents: { arguments: ["contextLines"] },
  create_directory: {},
  move_file: { arguments: ["overwrite"] },
  delete_file: { arguments: ["recursive", "dryRun"] },
  undo_change: { arguments: ["id"] },
  list_allowed_directories: {},
};
