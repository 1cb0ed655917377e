// A tool that asks the client for its roots: the folders that the user works in.
import { defineServer, tool } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

const listFolders = tool({
  name: "list_folders",
  description: "List the folders that the client works in.",
  async run(_input, ctx) {
    if (!ctx.client.can("roots")) return "The client does not offer roots.";
    const roots = await ctx.roots();
    return roots.map((root) => root.uri).join("\n");
  },
});

const server = defineServer({ name: "folders", version: "1.0.0", tools: [listFolders] });
await serveStdio(server).ended;
