/** What a request of the revision without sessions says of itself in its `_meta`. */
export const REVISION = "2026-07-28";

export const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};
