// mcp-use, as a FieldClient.
import { MCPClient } from "mcp-use/client";
import { textOf, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const mcpUse: FieldClient = {
  name: "mcp-use",
  kind: "mcp-use 1",
  cannot: {},
  async connect(target, { elicit }) {
    const server =
      target.over === "http" ? { url: target.url } : { command: target.command, args: [...target.args], env: { ...target.env } };
    const client = new MCPClient(
      { mcpServers: { trial: server } },
      { onElicitation: async ({ message }: { message: string }) => elicit(message) },
    );
    const session = await client.createSession("trial");
    return {
      list: async () => (await session.listTools()).map(({ name }: { name: string }) => name),
      call: (name, args) => textOfCall(session.callTool(name, args)),
      read: async (uri) => textOf(await session.readResource(uri)),
      close: () => client.closeAllSessions(),
    };
  },
};
