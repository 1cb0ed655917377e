// Programs that offer a stdio server over HTTP, as FieldClients: the official client calls through them.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { ServerProcess } from "@oarlock-tooling/test-support/server-process";
import type { FieldClient } from "../../src/field/field-client.ts";
import { officialSession } from "./official.ts";
import { packageFile } from "./package-file.ts";

const quoted = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(" ");

interface Gateway {
  readonly name: string;
  readonly bin: string;
  readonly cannot: FieldClient["cannot"];
  readonly argsOf: (port: number, command: readonly string[]) => string[];
}

export const supergateway = gateway({
  name: "supergateway",
  bin: "dist/index.js",
  cannot: {},
  argsOf: (port, command) => [
    ...["--stdio", quoted(command)],
    ...["--outputTransport", "streamableHttp", "--stateful", "--port", String(port), "--logLevel", "none"],
  ],
});

export const mcpProxy = gateway({
  name: "mcp-proxy",
  bin: "dist/bin/mcp-proxy.mjs",
  cannot: {
    elicitation: "It is a client of its own to the server, and that client declares no capabilities, whatever its caller declares.",
  },
  argsOf: (port, command) => ["--port", String(port), "--host", "127.0.0.1", "--server", "stream", "--", ...command],
});

function gateway({ name, bin, cannot, argsOf }: Gateway): FieldClient {
  return {
    name,
    kind: "offers stdio servers over HTTP",
    cannot: { ...cannot, http: "It is for stdio servers." },
    async connect(target, { elicit, home }) {
      if (target.over !== "stdio") throw new Error(`${name} is for stdio servers.`);
      const port = await freePort();
      const args = [packageFile(name, bin), ...argsOf(port, [target.command, ...target.args])];
      const server = new ServerProcess({ command: process.execPath, args, env: { ...target.env, HOME: home, XDG_STATE_HOME: home } });
      await server.accepts(port);
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
      const session = await officialSession(transport as Transport, elicit); // as in official.ts
      return {
        ...session,
        async close() {
          await session.close();
          await server.terminate();
        },
      };
    },
  };
}
