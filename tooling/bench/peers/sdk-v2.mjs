// The official SDK, second generation, over stdio: `high` or `low`, see sdk-v2-servers.mjs.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { high, low } from "./sdk-v2-servers.mjs";

serveStdio(process.argv[2] === "low" ? low : high);
