// The tools of --toolsets minimal: enough for the twenty tasks that tooling/docs tests, in at most 1,200 tokens.
import type { MinimalTools } from "@oarlock/cli";

export const MINIMAL_TOOLS: MinimalTools = {
  read_query: { arguments: ["params", "database", "cursor"] },
  write_query: { arguments: ["params", "database", "dry_run"] },
  run_transaction: { arguments: ["database", "dry_run"] },
  list_tables: { arguments: ["database", "detail"] },
  describe_table: { arguments: ["database", "sample_rows"] },
  search_text: { arguments: ["database"] },
  list_databases: {},
};
