// A class for one of the ten tools: mcp-framework looks for them as files in a folder.
import { MCPTool } from "mcp-framework";
import { z } from "zod";
import { definitions } from "./sdk-definitions.mjs";

export function toolNamed(wanted) {
  const { name, description, inputSchema, run } = definitions.find((one) => one.name === wanted);
  // It refuses fields without a description.
  const fields = Object.entries(inputSchema).map(([key, field]) => [key, field.description === undefined ? field.describe(key) : field]);
  return class extends MCPTool {
    name = name;
    description = description;
    schema = z.object(Object.fromEntries(fields));
    useStringify = false;
    async execute(args) {
      return run(args).content[0].text;
    }
  };
}
