// Which tools are registered: --read-only, --toolsets, --tools, --exclude-tools.
import type { Server, ToolDefinition } from "@oarlock/server-kit";
import { nearest } from "./did-you-mean.ts";
import { quoted, StartError } from "./start-error.ts";

export interface Selection {
  readonly readOnly: boolean;
  /** Empty: `default`, unless `tools` names what is wanted. */
  readonly toolsets: readonly string[];
  /** Empty: all of the toolsets. */
  readonly tools: readonly string[];
  readonly excludeTools: readonly string[];
}

/** Whether something is selected by name or kind, so that the definitions have to be there to judge it. */
export const selects = ({ readOnly, toolsets, tools, excludeTools }: Selection): boolean =>
  readOnly || toolsets.length + tools.length + excludeTools.length > 0;

/** Removes what was not asked for. A name that does not exist is a {@link StartError}: what it was meant for would not happen. */
export function selectTools(tools: Server["tools"], { readOnly, toolsets, tools: wanted, excludeTools }: Selection): void {
  const names = new Set([...tools].map(({ name }) => name));
  const groups = new Set(["default", ...[...tools].map(({ toolset }) => toolset)]);
  checkNames("toolset", "toolsets", toolsets, groups);
  checkNames("tool", "tools", wanted, names);
  checkNames("tool", "exclude-tools", excludeTools, names);
  const open = toolsets.length === 0 ? ["default"] : toolsets;
  const isOpen = ({ toolset }: ToolDefinition): boolean => (toolsets.length === 0 && wanted.length > 0) || open.includes(toolset);
  const isWanted = ({ name }: ToolDefinition): boolean => (wanted.length === 0 || wanted.includes(name)) && !excludeTools.includes(name);
  const stays = (tool: ToolDefinition): boolean => (!readOnly || tool.hints.readOnly === true) && isOpen(tool) && isWanted(tool);
  tools.keep(stays);
}

function checkNames(kind: string, name: string, given: readonly string[], known: ReadonlySet<string>): void {
  const unknown = given.find((one) => !known.has(one));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const remedy = meant === undefined ? `the ${kind}s are ${[...known].join(", ")}` : `did you mean ${meant}?`;
  throw new StartError(`Unknown ${kind} ${quoted(unknown)} in --${name}: ${remedy}`, 2);
}
