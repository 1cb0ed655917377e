// LangChain, as a FieldClient.
import { MultiServerMCPClient, type Connection } from "@langchain/mcp-adapters";
import { existing, textOf, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const langchain: FieldClient = {
  name: "@langchain/mcp-adapters",
  kind: "LangChain",
  cannot: {
    elicitation: "It declares no elicitation. The [Python package](https://github.com/langchain-ai/langchain-mcp-adapters/pull/385) does.",
  },
  async connect(target) {
    const connection: Connection =
      target.over === "http"
        ? { transport: "http", url: target.url }
        : { transport: "stdio", command: target.command, args: [...target.args], env: { ...target.env } };
    const client = new MultiServerMCPClient({ mcpServers: { trial: connection } });
    const tools = await client.getTools();
    return {
      list: async () => tools.map(({ name }) => name),
      call: (name, args) => {
        const tool = existing(
          tools.find((one) => one.name === name),
          name,
        );
        return textOfCall(tool.invoke(args));
      },
      read: async (uri) => textOf(await client.readResource("trial", uri)),
      close: () => client.close(),
    };
  },
};
