// mcp-framework: `stdio`, or over HTTP on $PORT; $MODE=stateless without sessions, $RESP=sse with events. Its tools are the files
// that the bench writes into dist/tools.
import { fileURLToPath } from "node:url";
import { MCPServer } from "mcp-framework";
import { info } from "./sdk-definitions.mjs";

process.env.MCP_ENABLE_FILE_LOGGING = "false";
const { PORT, MODE, RESP } = process.env;
const options = {
  port: Number(PORT),
  host: "127.0.0.1",
  endpoint: "/mcp",
  responseMode: RESP === "sse" ? "stream" : "batch",
  session: { enabled: MODE !== "stateless" },
};
const transport = process.argv[2] === "stdio" ? { type: "stdio" } : { type: "http-stream", options };
await new MCPServer({ ...info, basePath: fileURLToPath(new URL("../dist", import.meta.url)), logging: false, transport }).start();
