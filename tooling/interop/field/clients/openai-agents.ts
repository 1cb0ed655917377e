// OpenAI Agents, as a FieldClient.
import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents";
import { textOf, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const openaiAgents: FieldClient = {
  name: "@openai/agents",
  kind: "OpenAI Agents",
  cannot: { elicitation: "It declares no elicitation." },
  async connect(target) {
    const server =
      target.over === "http"
        ? new MCPServerStreamableHttp({ url: target.url })
        : new MCPServerStdio({ command: target.command, args: [...target.args], env: { ...target.env } });
    await server.connect();
    return {
      list: async () => (await server.listTools()).map(({ name }) => name),
      call: (name, args) => textOfCall(server.callTool(name, args)),
      read: async (uri) => textOf(await server.readResource(uri)),
      close: () => server.close(),
    };
  },
};
