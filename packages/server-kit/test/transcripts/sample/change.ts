// A tool that changes what the server offers while it runs.
import { fromJsonSchema, prompt, resource, tool, ToolError, type Server, type ToolDefinition } from "@oarlock/server-kit";

const TOGGLES: Readonly<Record<string, (server: Server) => void>> = {
  tools({ tools }) {
    if (tools.get("extra") === undefined) tools.add(tool({ name: "extra", run: () => "extra" }));
    else tools.remove("extra");
  },
  prompts({ prompts }) {
    if (prompts.get("extra") === undefined) prompts.add(prompt({ name: "extra", get: () => "extra" }));
    else prompts.remove("extra");
  },
  resources({ resources }) {
    if (resources.get("sample://extra") === undefined)
      resources.add(resource({ uri: "sample://extra", name: "extra", read: () => "extra" }));
    else resources.remove("sample://extra");
  },
};

/** Adds an entry named `extra` to a list, or takes it away again. */
export const change = (server: () => Server): ToolDefinition =>
  tool({
    name: "change",
    description: "Adds an entry to a list, or takes it away again.",
    input: fromJsonSchema<{ list: string }>(
      { type: "object", properties: { list: { type: "string", enum: Object.keys(TOGGLES) } } },
      () => undefined,
    ),
    run({ list }) {
      const toggle = TOGGLES[list];
      if (toggle === undefined) throw new ToolError("No such list.");
      toggle(server());
      return "changed";
    },
  });
