/** What a call of the revision without sessions says of itself: in its `_meta`, and again in headers. */
import { echoCall } from "../suites/suite.ts";

const REVISION = "2026-07-28";

export const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};

/** The header lines of each call. Nothing has to come before a first one. */
export const HEADERS = `mcp-protocol-version: ${REVISION}\r\nmcp-method: tools/call\r\nmcp-name: ${echoCall(0).name}\r\n`;
