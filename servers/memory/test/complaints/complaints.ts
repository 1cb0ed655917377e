// What users of memory servers complain about, and the answer here. The README has these rows; each reference is in the title of a
// test.

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
    here: "Each call is one transaction; of 100 at once 100 are kept.",
  },
  {
    refs: ["servers#4797", "servers#3286", "servers#3060"],
    complaint: "Two client processes on one file silently discard each other's writes.",
    here: "Any number of processes may share a store, and the file beside it.",
  },
  {
    refs: ["servers#3653"],
    complaint: "The file has no final newline: whoever appends fuses two records.",
    here: "It has one. Two records that were fused are told and kept.",
  },
  {
    refs: ["servers#220"],
    complaint: "The default file lies in the package's folder: an update deletes the memory.",
    here: "It lies in the user's folder for data, and a place in the package's folder is refused.",
  },
  {
    refs: ["servers#692", "servers#1018", "servers#1600", "servers#4327"],
    complaint: "Relative paths lead into the package's folder, `~` is not expanded, folders above are not made.",
    here: "Relative paths are meant from the working directory, `~` is the home directory, missing folders are made.",
  },
  {
    refs: ["servers#1481"],
    complaint: "Users take the file for a JSON array and break it by editing.",
    here: "What cannot be read is kept aside and named by its line; the rest loads.",
  },
  {
    refs: ["servers#3953"],
    complaint: "After six weeks one `read_graph` is 50,000 to 80,000 tokens; names alone, and reading in steps, are missing.",
    here: "`detail` is `full`, `summary` or `names`, replies come in pages, `graph_stats` is the cheap first look.",
  },
  {
    refs: ["RchGrav/astraeus#2"],
    complaint: "`read_graph` with 70,992 tokens exceeds what the host takes, 25,000.",
    here: "`limit` and `cursor`; `--max-result-bytes` bounds every reply.",
  },
  {
    refs: ["raycast/extensions#22083"],
    complaint: "`add_observations` fails for an entity that is not there yet, and models do not recover.",
    here: "`createMissing` makes it; the refusal says so.",
  },
  {
    refs: ["basicmachines-co/basic-memory#625"],
    complaint: "A write silently overwrites what was there.",
    here: "Creating never overwrites: what is there stays, and is named in `skipped`.",
  },
  {
    refs: ["basicmachines-co/basic-memory#256", "basicmachines-co/basic-memory#1479"],
    complaint: "An edited note vanishes from the index, an overwrite makes a second note.",
    here: "Text and index change in one transaction: what was changed is found under its new words and no longer under the old ones.",
  },
  {
    refs: ["basicmachines-co/basic-memory#1296"],
    complaint: "A traversal without ceilings returned 1.68 MB.",
    here: "`traverse_graph` is bounded in depth, nodes and bytes, and says what it left out.",
  },
  {
    refs: ["getzep/graphiti#1707", "getzep/graphiti#704"],
    complaint: "A write is said to be queued and then dropped; the caller never learns.",
    here: "A call answers when its write is on the disk, and survives a kill right after.",
  },
  {
    refs: ["getzep/graphiti#1121", "getzep/graphiti#1135"],
    complaint: "Bound to one vendor's models.",
    here: "No model, no key and no network.",
  },
  {
    refs: ["mem0ai/mem0#3616"],
    complaint: "There is only “delete all”, nothing targeted.",
    here: "Single observations, relations and entities; `purge` removes one for good.",
  },
  {
    refs: ["supermemoryai/supermemory-mcp#10"],
    complaint: "A fact that changed (old job, new job) confuses what is recalled.",
    here: "`supersedes` ends the old fact: reads tell what is true now, `get_history` and `asOf` the past.",
  },
  {
    refs: ["AVIDS2/memorix#291", "nhadaututtheky/neural-memory#128"],
    complaint: "“database is locked”, and the memory is silently off.",
    here: "A lock is waited for while other calls go on; after ten seconds the call says that nothing was changed.",
  },
  {
    refs: ["MemPalace/mempalace#2302", "0xK3vin/MegaMemory#13", "DeusData/codebase-memory-mcp#1037", "DeusData/codebase-memory-mcp#1206"],
    complaint: "Processes that share SQLite truncate its log on exit, or put a healthy file away as corrupt.",
    here: "A process that ends leaves the log of the others alone, and no file is ever renamed away.",
  },
  {
    refs: ["GlitterKill/sdl-mcp#15", "pomazanbohdan/memory-mcp-1file#41"],
    complaint: "A second client is refused outright.",
    here: "It reads and writes like the first.",
  },
];
