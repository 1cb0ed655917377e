// What users of SQLite servers complain about, and the answer here. The README has these rows; each reference is in the title of a test.

export interface Complaint {
  /** Issues, as `repository#number`; `servers` is modelcontextprotocol/servers. Without a number: seen in that server's code or by trying it. */
  readonly refs: readonly string[];
  readonly complaint: string;
  readonly here: string;
}

export const COMPLAINTS: readonly Complaint[] = [
  {
    refs: ["archived/REPLACE", "archived/comments"],
    complaint: "`REPLACE INTO`, and an `INSERT` behind a comment, run, say nothing, and are rolled back.",
    here: "What a statement does is decided by SQLite, not by its first word; what is answered is in the file.",
  },
  {
    refs: ["dbhub/order"],
    complaint: "Of several statements in one text, all writes run before all reads.",
    here: "One statement in a call; `run_transaction` runs several in their order, all or none.",
  },
  {
    refs: ["dbhub/query_only"],
    complaint: "The guard is switched off again after each call, on a connection that all share.",
    here: "Reading happens in processes that have the file open for reading only, all their life.",
  },
  {
    refs: ["archived/WITH", "executeautomation/WITH", "jparkerweb/WITH"],
    complaint: "`WITH … SELECT` is refused as a read, `WITH … INSERT` passes unseen.",
    here: "Both are known for what they are.",
  },
  {
    refs: ["executeautomation/integers", "jparkerweb/integers", "rjsalgado/mariadb-mcp-server#2", "dbgate/dbgate#1532"],
    complaint: "64-bit integers are rounded, or crash the server.",
    here: 'Past 2^53 they come as exact text, and go in as `{"integer": …}`.',
  },
  {
    refs: ["executeautomation/BLOBs"],
    complaint: "A BLOB comes as a list of numbers, one for each byte.",
    here: "`{bytes, base64}`, cut to a beginning; the whole of it is a resource.",
  },
  {
    refs: ["executeautomation/views"],
    complaint: "Views cannot be described.",
    here: "They are listed and described as tables are.",
  },
  {
    refs: ["executeautomation/rows", "cubrid-lab/cubrid-mcp-server#83", "haymon-ai/dbmcp#27"],
    complaint: "No limit to rows and none to time: one query gives 8 MB.",
    here: "Rows, bytes and time are bounded; a cut reply says so and gives a cursor.",
  },
  {
    refs: ["archived/errors"],
    complaint: "Errors come as successes.",
    here: "They are marked as errors, and say what to do.",
  },
  {
    refs: ["servers#1945"],
    complaint: "No read-only mode.",
    here: "It is the default; `--read-write` allows writing, and without it no tool that writes is offered.",
  },
  {
    refs: ["servers#1348", "servers#3314", "servers#1367", "servers#3663"],
    complaint: "SQL in the table name of `describe_table` is run.",
    here: "A name is a name, whatever is in it.",
  },
  {
    refs: [
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#8",
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#10",
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#12",
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#14",
    ],
    complaint: "The read-only tool deletes rows through a CTE.",
    here: "`read_query` refuses it, and its connection could not do it.",
  },
  {
    refs: ["spences10/mcp-sqlite-tools#50"],
    complaint: "Pragmas that change something, and several statements at once, pass as reads.",
    here: "Only listed pragmas that tell something are read, as the tables that they are; one statement in a call.",
  },
  {
    refs: ["spences10/mcp-sqlite-tools#53", "WiseLibs/better-sqlite3#707", "WiseLibs/better-sqlite3#568", "nodejs/node#62227"],
    complaint: "The time limit is not real: the drivers have no way to interrupt a statement.",
    here: "SQL runs in processes of its own; deadline and cancel end the process, and the next one is ready.",
  },
  {
    refs: ["mvanhorn/cli-printing-press#693", "mvanhorn/cli-printing-press#2799"],
    complaint: "ATTACH and VACUUM INTO write other files, even from a read-only connection.",
    here: "Neither gets to the engine.",
  },
  {
    refs: ["mvanhorn/cli-printing-press#4754"],
    complaint: "One huge value takes a gigabyte before any limit of rows applies.",
    here: "The process that would make it has less memory than that; large values come cut.",
  },
  {
    refs: ["servers#1386"],
    complaint: "One fixed database, no BLOBs in, no transactions.",
    here: '`NAME=FILE` as often as you like, `{"base64": …}` as a parameter, `run_transaction`.',
  },
  {
    refs: ["executeautomation/mcp-database-server#34", "executeautomation/mcp-database-server#13"],
    complaint: "Injection in the tools for tables; COUNT queries fail with “Cannot convert undefined”.",
    here: "Names are never pasted into statements unquoted; a count is a row like any other.",
  },
  {
    refs: ["raw-labs/mxcp#165"],
    complaint: "A select of 60,000 rows hangs the server, and even `tools/list` is not answered.",
    here: "The server only carries replies; what is slow happens elsewhere.",
  },
  {
    refs: ["mksglu/context-mode#218", "mksglu/context-mode#735"],
    complaint: "A lock of another program crashes the server and leaves a WAL behind.",
    here: "It waits, then says that the database is busy, and goes on; nothing of its own is left.",
  },
  {
    refs: ["cq27-dev/rag-rat#143"],
    complaint: "Tools that read take the write lock when they open the file.",
    here: "They cannot: their connections are read-only.",
  },
  {
    refs: ["KimYx0207/AI-Coding-Guide-Zh#2"],
    complaint: "There is no such server for Node, though people expect one.",
    here: "This is one, with the names and arguments of the archived server.",
  },
  {
    refs: ["panasenco/mcp-sqlite"],
    complaint: "Hosts ignore resources, so the catalogue is not seen.",
    here: "It is there as tools and as resources.",
  },
];
