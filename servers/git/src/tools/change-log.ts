// Logs what changing tools have done: one entry for each call, with the first line of its reply.
import type { ToolDefinition } from "@oarlock/server-kit";

export function loggedTool(tool: ToolDefinition): ToolDefinition {
  if (tool.hints.readOnly === true) return tool;
  return {
    ...tool,
    async call(args, ctx) {
      const result = await tool.call(args, ctx);
      const [first] = result.content;
      if (result.isError !== true && first?.type === "text") ctx.log.info(`${tool.name}: ${first.text.split("\n", 1)[0]}`);
      return result;
    },
  };
}
