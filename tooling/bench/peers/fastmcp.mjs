// fastmcp: `stdio`, or over HTTP on $PORT; $MODE=stateless without sessions, $RESP=sse with events.
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { definitions, info } from "./sdk-definitions.mjs";

const { PORT, MODE, RESP } = process.env;
const nothing = () => {};
const logger = { debug: nothing, error: nothing, info: nothing, log: nothing, warn: nothing };
const server = new FastMCP({ ...info, logger, ping: { enabled: false } });
for (const { name, description, inputSchema, run } of definitions)
  server.addTool({ name, description, parameters: z.object(inputSchema), execute: async (args) => run(args) });

const httpStream = { port: Number(PORT), host: "127.0.0.1", stateless: MODE === "stateless", enableJsonResponse: RESP !== "sse" };
await server.start(process.argv[2] === "stdio" ? { transportType: "stdio" } : { transportType: "httpStream", httpStream });
