import { tool } from "@oarlock/server-kit";

export const folders = tool({
  name: "folders",
  description: "Say which folders the client works in.",
  async run(_input, ctx) {
    if (!ctx.client.can("roots")) return "Your client does not say.";
    const roots = await ctx.roots();
    return roots.map((root) => root.uri).join("\n");
  },
});
