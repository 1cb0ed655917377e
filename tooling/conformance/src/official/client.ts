/** The official TypeScript client in the authorization scenarios of the suite, to compare ours with: it connects, and calls each tool once. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { isObject } from "@oarlock/server-kit/protocol";
import { LoginProvider, providerFor } from "./provider.ts";

const MAX_LOGINS = 2;

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error("Usage: client.ts URL");
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const context: unknown = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const provider = await providerFor(process.env.MCP_CONFORMANCE_SCENARIO ?? "", isObject(context) ? context : {});
let transport = newTransport(url);
const client = new Client(
  { name: "official", version: "1.0.0" },
  revision === "2026-07-28"
    ? { versionNegotiation: { mode: "auto" } }
    : revision === undefined
      ? {}
      : { supportedProtocolVersions: [revision] },
);

await loggedIn(async () => {
  transport = newTransport(url);
  await client.connect(transport);
});
const { tools } = await loggedIn(() => client.listTools());
for (const { name } of tools) await loggedIn(async () => console.log(JSON.stringify(await client.callTool({ name, arguments: {} }))));
await client.close();

function newTransport(address: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(address), { authProvider: provider });
}

/** Tries again after a login, as the package asks of its users. */
async function loggedIn<T>(work: () => Promise<T>): Promise<T> {
  for (let login = 0; ; login++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !(provider instanceof LoginProvider) || login === MAX_LOGINS) throw error;
      await transport.finishAuth(provider.parameters);
    }
  }
}
