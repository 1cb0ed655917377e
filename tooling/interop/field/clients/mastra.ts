// Mastra, as a FieldClient.
import { randomUUID } from "node:crypto";
import { MCPClient } from "@mastra/mcp";
import { existing, textOf, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const mastra: FieldClient = {
  name: "@mastra/mcp",
  kind: "Mastra",
  cannot: {},
  async connect(target, { elicit }) {
    const connection =
      target.over === "http" ? { url: new URL(target.url) } : { command: target.command, args: [...target.args], env: { ...target.env } };
    const inputRequests = async ({ params }: { params: { message: string } }) => elicit(params.message);
    // Its type wants a handler for each kind of input request; one for elicitations is what the servers need.
    const servers = { trial: { ...connection, inputRequests, enableServerLogs: false } } as never;
    const client = new MCPClient({ id: randomUUID(), servers });
    const tools = await client.listTools();
    return {
      list: async () => Object.keys(tools).map((name) => name.replace(/^trial_/, "")),
      call: async (name, args) => {
        const { execute } = existing(tools[`trial_${name}`], name);
        return textOfCall(execute?.(args as never, {} as never)); // types of a call by an agent
      },
      read: async (uri) => textOf(await client.resources.read("trial", uri)),
      close: () => client.disconnect(),
    };
  },
};
