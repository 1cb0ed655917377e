/** What a call of the revision without sessions says of itself in headers, beside its `_meta`. */
import { REVISION } from "../envelope.ts";
import { echoCall } from "../suites/suite.ts";

/** The header lines of each call. Nothing has to come before a first one. */
export const HEADERS = `mcp-protocol-version: ${REVISION}\r\nmcp-method: tools/call\r\nmcp-name: ${echoCall(0).name}\r\n`;
