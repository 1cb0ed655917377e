/** Tools that change the lists of the server, so that subscribers are notified. */
import { prompt, tool, type Server, type ToolDefinition } from "@oarlock/server-kit";

const comer = tool({ name: "test_come_and_go", description: "Is there every other time.", run: () => "Here." });
const prompted = prompt({ name: "test_come_and_go", description: "Is there every other time.", get: () => "Here." });

interface Named<T> {
  get(name: string): T | undefined;
  add(item: T): void;
  remove(name: string): void;
}

/** Puts a definition into a registry, or takes it out again. */
function toggle<T extends { name: string }>(registry: Named<T>, item: T): string {
  const there = registry.get(item.name) !== undefined;
  if (there) registry.remove(item.name);
  else registry.add(item);
  return there ? "Removed." : "Added.";
}

export const changes = (server: Server): ToolDefinition[] => [
  tool({
    name: "test_trigger_tool_change",
    description: "Adds a tool, or removes it again.",
    run: () => toggle(server.tools, comer),
  }),
  tool({
    name: "test_trigger_prompt_change",
    description: "Adds a prompt, or removes it again.",
    run: () => toggle(server.prompts, prompted),
  }),
];
