// Tool selection: which tools are registered, by --read-only, --toolsets, --tools and --exclude-tools.
import { nearestNames } from "@oarlock/domain-kit";
import type { Server, ToolDefinition } from "@oarlock/server-kit";
import { MINIMAL, minimalTool, type MinimalTools } from "./start/minimal-tools.ts";
import { quoted, StartError } from "./start/start-error.ts";

export interface ToolSelection {
  readonly readOnly: boolean;
  /** Empty: `default`, or every toolset where `tools` names some. */
  readonly toolsets: readonly string[];
  /** Empty: all tools of the toolsets. */
  readonly tools: readonly string[];
  readonly excludeTools: readonly string[];
}

/** Whether tools are selected at all; only then their definitions must be loaded before the start. */
export const hasSelection = ({ readOnly, toolsets, tools, excludeTools }: ToolSelection): boolean =>
  readOnly || toolsets.length + tools.length + excludeTools.length > 0;

/**
 * Removes the tools that are not selected.
 * @param minimal Those of the toolset minimal. Default: there is none.
 * @throws StartError for an unknown name: the selection would not do what its author meant.
 */
export function selectTools(
  tools: Server["tools"],
  { readOnly, toolsets, tools: wanted, excludeTools }: ToolSelection,
  minimal: MinimalTools = {},
): void {
  const names = new Set([...tools].map(({ name }) => name));
  const hasMinimal = Object.keys(minimal).length > 0;
  const groups = new Set(["default", ...(hasMinimal ? [MINIMAL] : []), ...[...tools].map(({ toolset }) => toolset)]);
  checkNames("toolset", "toolsets", toolsets, groups);
  checkNames("tool", "tools", wanted, names);
  checkNames("tool", "exclude-tools", excludeTools, names);
  const enabled = toolsets.length === 0 ? ["default"] : toolsets;
  const isMinimal = ({ name, toolset }: ToolDefinition): boolean =>
    enabled.includes(MINIMAL) && !enabled.includes(toolset) && Object.hasOwn(minimal, name);
  // Models do not see these, and the views of other tools call them.
  const isForViews = ({ toolset, extensions }: ToolDefinition): boolean =>
    enabled.includes(MINIMAL) && toolset === "default" && extensions.some(({ isForModels }) => isForModels === false);
  const isEnabled = (tool: ToolDefinition): boolean =>
    (toolsets.length === 0 && wanted.length > 0) || enabled.includes(tool.toolset) || isMinimal(tool) || isForViews(tool);
  const isNamed = ({ name }: ToolDefinition): boolean => wanted.length === 0 || wanted.includes(name);
  tools.keep(
    ({ hints }) => !readOnly || hints.readOnly === true,
    () => "It is switched off by --read-only. The operator can start the server without this switch.",
  );
  tools.keep(
    ({ name }) => !excludeTools.includes(name),
    () => "It is switched off by --exclude-tools. The operator can remove its name there.",
  );
  tools.keep(isEnabled, ({ toolset }) => {
    const wider = [...new Set([...enabled, toolset])].join(",");
    return `It is in the toolset ${toolset}, which is switched off. The operator can start the server with --toolsets ${wider}.`;
  });
  tools.keep(isNamed, () => "It is switched off by --tools. The operator can add its name there.");
  if ([...tools].some(isMinimal)) shorten(tools, (tool) => (isMinimal(tool) ? minimalTool(tool, minimal[tool.name] ?? {}) : tool));
}

/** Replaces all tools, so that they keep their order. */
function shorten(tools: Server["tools"], change: (tool: ToolDefinition) => ToolDefinition): void {
  const all = [...tools];
  tools.remove(...all.map(({ name }) => name));
  tools.add(...all.map(change));
}

function checkNames(kind: string, name: string, given: readonly string[], known: ReadonlySet<string>): void {
  const unknown = given.find((one) => !known.has(one));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, known, 1);
  const remedy =
    nearest === undefined ? `expected one of ${[...known].join(", ")}. Correct it or leave it out.` : `did you mean ${nearest}?`;
  throw new StartError(`Unknown ${kind} ${quoted(unknown)} in --${name}: ${remedy}`, 2);
}
