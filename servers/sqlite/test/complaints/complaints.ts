// Problems of other SQLite servers, and how this one behaves. The manual has these rows; each reference is in a test title.

export interface Complaint {
  /** Issues, as `repository#number`; `servers` is modelcontextprotocol/servers. Without a number: seen in that server's code or by trying it. */
  readonly refs: readonly string[];
  readonly complaint: string;
  readonly here: string;
}

export const COMPLAINTS: readonly Complaint[] = [
  {
    refs: ["archived/REPLACE", "archived/comments"],
    complaint: "`REPLACE INTO`, and an `INSERT` after a comment, report success and are rolled back.",
    here: "SQLite's compiled program decides what a statement does, not its first word. A reported change is in the file.",
  },
  {
    refs: ["dbhub/order"],
    complaint: "With several statements in one text, all writes run before all reads.",
    here: "`read_query` takes several that only read, `write_query` one; `run_transaction` runs several in order, all or none.",
  },
  {
    refs: ["dbhub/query_only"],
    complaint: "The read-only guard is switched off after each call, on a shared connection.",
    here: "Reading processes open the file read-only and keep it so.",
  },
  {
    refs: ["archived/WITH", "executeautomation/WITH", "jparkerweb/WITH"],
    complaint: "`WITH … SELECT` is refused as a read, and `WITH … INSERT` passes as one.",
    here: "Both are recognized.",
  },
  {
    refs: ["executeautomation/integers", "jparkerweb/integers", "rjsalgado/mariadb-mcp-server#2", "dbgate/dbgate#1532"],
    complaint: "64-bit integers are rounded, or crash the server.",
    here: 'Integers past 2^53 are returned as exact text, and passed as `{"integer": …}`.',
  },
  {
    refs: ["executeautomation/BLOBs"],
    complaint: "A BLOB is returned as a list of numbers, one for each byte.",
    here: "`{bytes, base64}`, truncated; a resource has the complete value.",
  },
  {
    refs: ["executeautomation/views"],
    complaint: "Views cannot be described.",
    here: "Views are listed and described like tables.",
  },
  {
    refs: ["executeautomation/rows", "cubrid-lab/cubrid-mcp-server#83", "haymon-ai/dbmcp#27"],
    complaint: "No limits on rows and time: one query returns 8 MB.",
    here: "Rows, bytes and time are limited; a truncated reply is marked and has a cursor.",
  },
  {
    refs: ["archived/errors"],
    complaint: "Errors are returned as successful results.",
    here: "Errors are flagged as errors, and name the next step.",
  },
  {
    refs: ["servers#1945"],
    complaint: "No read-only mode.",
    here: "Read-only is the default; without `--read-write` no tool that changes a database is offered.",
  },
  {
    refs: ["servers#1348", "servers#3314", "servers#1367", "servers#3663"],
    complaint: "SQL in the table name of `describe_table` is executed.",
    here: "The name is never part of a statement without quotes.",
  },
  {
    refs: [
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#8",
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#10",
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#12",
      "hannesrudolph/sqlite-explorer-fastmcp-mcp-server#14",
    ],
    complaint: "The read-only tool deletes rows through a CTE.",
    here: "`read_query` refuses it, and its connection cannot write.",
  },
  {
    refs: ["spences10/mcp-sqlite-tools#50"],
    complaint: "Pragmas that change settings, and several statements at once, pass as reads.",
    here: "Only listed pragmas that read are allowed, as tables; each of several statements is checked.",
  },
  {
    refs: ["spences10/mcp-sqlite-tools#53", "WiseLibs/better-sqlite3#707", "WiseLibs/better-sqlite3#568", "nodejs/node#62227"],
    complaint: "Time limits have no effect: the drivers cannot interrupt a statement.",
    here: "SQL runs in child processes. A time limit or cancellation kills the process, and another one takes over.",
  },
  {
    refs: ["mvanhorn/cli-printing-press#693", "mvanhorn/cli-printing-press#2799"],
    complaint: "ATTACH and VACUUM INTO write other files, even from a read-only connection.",
    here: "Both are refused before they reach the engine.",
  },
  {
    refs: ["mvanhorn/cli-printing-press#4754"],
    complaint: "One huge value takes a gigabyte of memory before a row limit applies.",
    here: "The memory of a database process is limited, and large values are truncated.",
  },
  {
    refs: ["servers#1386"],
    complaint: "One fixed database, no BLOB parameters, no transactions.",
    here: 'Any number of `NAME=FILE`, `{"base64": …}` as a parameter, and `run_transaction`.',
  },
  {
    refs: ["executeautomation/mcp-database-server#34", "executeautomation/mcp-database-server#13"],
    complaint: "SQL injection in the tools for tables; COUNT queries fail with “Cannot convert undefined”.",
    here: "Names in statements are quoted; a count is an ordinary row.",
  },
  {
    refs: ["raw-labs/mxcp#165"],
    complaint: "A SELECT of 60,000 rows blocks the server, `tools/list` included.",
    here: "Statements run in child processes, so the server keeps answering.",
  },
  {
    refs: ["mksglu/context-mode#218", "mksglu/context-mode#735"],
    complaint: "A lock held by another program crashes the server, which leaves a WAL behind.",
    here: "The server waits, reports that the database is busy, and goes on. It leaves no files.",
  },
  {
    refs: ["cq27-dev/rag-rat#143"],
    complaint: "Tools that read take the write lock when they open the file.",
    here: "Their connections are read-only and take no write lock.",
  },
  {
    refs: ["KimYx0207/AI-Coding-Guide-Zh#2"],
    complaint: "There is no such server for Node, although users expect one.",
    here: "This server has the names and arguments of the archived one.",
  },
  {
    refs: ["panasenco/mcp-sqlite"],
    complaint: "Hosts ignore resources, so the schema is not seen.",
    here: "The schema is available as tools and as resources.",
  },
];
