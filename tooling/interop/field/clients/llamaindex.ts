// LlamaIndex, as a FieldClient.
import { mcp } from "@llamaindex/tools";
import { existing, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const llamaIndex: FieldClient = {
  name: "@llamaindex/tools",
  kind: "LlamaIndex",
  cannot: { read: "Its `mcp()` offers tools only.", elicitation: "It declares no elicitation." },
  async connect(target) {
    const client = mcp(
      target.over === "http" ? { url: target.url } : { command: target.command, args: [...target.args], env: { ...target.env } },
    );
    const tools = await client.tools();
    return {
      list: async () => tools.map((tool) => tool.metadata.name),
      call: async (name, args) => {
        const tool = existing(
          tools.find((one) => one.metadata.name === name),
          name,
        );
        return textOfCall(tool.call(args as never)); // its type is that of no arguments
      },
      close: () => client.cleanup(),
    };
  },
};
