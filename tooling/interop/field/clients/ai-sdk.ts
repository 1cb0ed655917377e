// AI SDK, as a FieldClient.
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { existing, textOf, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const aiSdk: FieldClient = {
  name: "@ai-sdk/mcp",
  kind: "AI SDK",
  cannot: {},
  async connect(target, { elicit }) {
    const transport =
      target.over === "http"
        ? ({ type: "http", url: target.url } as const)
        : new StdioTransport({ command: target.command, args: [...target.args], env: { ...target.env } });
    const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
    client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => elicit(params.message));
    const tools = await client.tools();
    return {
      list: async () => Object.keys(tools),
      call: async (name, args) => {
        // The options are those of a call by the model; the client reads the signal only.
        return textOfCall(existing(tools[name], name).execute(args, { toolCallId: "1", messages: [] } as never));
      },
      read: async (uri) => textOf(await client.readResource({ uri })),
      close: () => client.close(),
    };
  },
};
