// Known problems of memory servers, as reported by their users, and how this server behaves instead. The manual has these rows; each
// reference is in the title of a test.

export interface Complaint {
  /** Issues, as `repository#number`; `servers` is modelcontextprotocol/servers. */
  readonly refs: readonly string[];
  readonly complaint: string;
  readonly here: string;
}

export const COMPLAINTS: readonly Complaint[] = [
  {
    refs: ["servers#1819", "servers#2577", "servers#2578", "servers#2579", "servers#2689"],
    complaint: "Parallel tool calls corrupt the file, and every later call fails.",
    here: "Each call is one transaction: of 100 parallel calls, 100 are stored.",
  },
  {
    refs: ["servers#4797", "servers#3286", "servers#3060"],
    complaint: "Two client processes on one file silently discard each other's writes.",
    here: "Any number of processes can share a database and its JSONL file.",
  },
  {
    refs: ["servers#3653"],
    complaint: "The file has no final newline, so a program that appends to it fuses two records.",
    here: "It has one. Fused records are split, stored and reported.",
  },
  {
    refs: ["servers#220"],
    complaint: "The default file is in the package's folder, where an update deletes it.",
    here: "It is in the user's data folder, and files in the package's folder are refused.",
  },
  {
    refs: ["servers#692", "servers#1018", "servers#1600", "servers#4327"],
    complaint: "Relative paths lead into the package's folder, `~` is not expanded, missing folders are not created.",
    here: "Relative paths start at the working directory, `~` is the home directory, missing folders are created.",
  },
  {
    refs: ["servers#1481"],
    complaint: "Users take the file for a JSON array and break it when they edit it.",
    here: "Unreadable lines are kept in a side file and reported with their numbers; all others load.",
  },
  {
    refs: ["servers#3953"],
    complaint: "After six weeks one `read_graph` is 50,000 to 80,000 tokens; reading names only, or in steps, is not possible.",
    here: "`detail` selects `full`, `summary` or `names`, replies come in pages, and `graph_stats` is a cheap first look.",
  },
  {
    refs: ["RchGrav/astraeus#2"],
    complaint: "`read_graph` with 70,992 tokens exceeds the host's limit of 25,000.",
    here: "`limit` and `cursor` page through the graph, and `--max-result-bytes` limits every reply.",
  },
  {
    refs: ["raycast/extensions#22083"],
    complaint: "`add_observations` fails for an entity that does not exist yet, and models do not recover.",
    here: "`createMissing` creates it, and the error message names it.",
  },
  {
    refs: ["basicmachines-co/basic-memory#625"],
    complaint: "A write silently overwrites existing data.",
    here: "Creating never overwrites: existing entities stay and are listed in `skipped`.",
  },
  {
    refs: ["basicmachines-co/basic-memory#256", "basicmachines-co/basic-memory#1479"],
    complaint: "An edited note disappears from the index; an overwrite creates a second note.",
    here: "Text and index change in one transaction: search finds the new words and no longer the old ones.",
  },
  {
    refs: ["basicmachines-co/basic-memory#1296"],
    complaint: "A traversal without limits returned 1.68 MB.",
    here: "`traverse_graph` is limited in depth, nodes and bytes, and says when it left something out.",
  },
  {
    refs: ["getzep/graphiti#1707", "getzep/graphiti#704"],
    complaint: "A write is reported as queued and then dropped without notice.",
    here: "A call is answered when its write is on the disk; it survives a kill right afterwards.",
  },
  {
    refs: ["getzep/graphiti#1121", "getzep/graphiti#1135"],
    complaint: "The server works with the models of one vendor only.",
    here: "It needs no model, no key and no network.",
  },
  {
    refs: ["mem0ai/mem0#3616"],
    complaint: "Only everything can be deleted, not single facts.",
    here: "Single observations, relations and entities can be deleted; `purge` removes their history too.",
  },
  {
    refs: ["supermemoryai/supermemory-mcp#10"],
    complaint: "A changed fact (old job, new job) confuses the answers.",
    here: "`supersedes` ends the old fact: reads show the present, `get_history` and `asOf` the past.",
  },
  {
    refs: ["AVIDS2/memorix#291", "nhadaututtheky/neural-memory#128"],
    complaint: "“database is locked”, and the memory silently stops working.",
    here: "A call waits for a lock while others run; after ten seconds it fails and says that nothing was changed.",
  },
  {
    refs: ["MemPalace/mempalace#2302", "0xK3vin/MegaMemory#13", "DeusData/codebase-memory-mcp#1037", "DeusData/codebase-memory-mcp#1206"],
    complaint: "Processes that share SQLite truncate its log on exit, or rename an intact file as corrupt.",
    here: "A process that ends keeps the log in place, and no file is ever renamed.",
  },
  {
    refs: ["GlitterKill/sdl-mcp#15", "pomazanbohdan/memory-mcp-1file#41"],
    complaint: "A second client is refused.",
    here: "Any number of clients read and write.",
  },
];
