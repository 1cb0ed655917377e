// mcporter's library, as a FieldClient.
import { createRuntime } from "mcporter";
import { textOf, textOfCall, type FieldClient } from "../../src/field/field-client.ts";

export const mcporter: FieldClient = {
  name: "mcporter",
  kind: "mcporter, by its library",
  cannot: { elicitation: "It declares no elicitation." },
  async connect(target) {
    const server =
      target.over === "http"
        ? { name: "trial", command: { kind: "http" as const, url: new URL(target.url) } }
        : {
            name: "trial",
            command: { kind: "stdio" as const, command: target.command, args: [...target.args], cwd: process.cwd() },
            env: { ...target.env },
          };
    const runtime = await createRuntime({ servers: [server] });
    return {
      list: async () => (await runtime.listTools("trial")).map(({ name }) => name),
      call: (name, args) => textOfCall(runtime.callTool("trial", name, { args })),
      read: async (uri) => textOf(await runtime.readResource("trial", uri)),
      close: () => runtime.close(),
    };
  },
};
