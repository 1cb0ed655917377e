// The official SDK, first generation, over stdio: `high` or `low`, see sdk-v1-servers.mjs.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { high, low } from "./sdk-v1-servers.mjs";

await (process.argv[2] === "low" ? low() : high()).connect(new StdioServerTransport());
