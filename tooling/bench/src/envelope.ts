/** What a request of the revision without sessions says of itself in its `_meta`. */
export const REVISION = "2026-07-28";

/** With `$OARLOCK_BENCH_TASKS` the client declares tasks. */
const CAPABILITIES = process.env["OARLOCK_BENCH_TASKS"] === undefined ? {} : { extensions: { "io.modelcontextprotocol/tasks": {} } };

export const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};
