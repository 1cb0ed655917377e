// requestedTools: the tools that a request over HTTP asks for, by its address or its headers. Never more than the operator has registered.
import type { Middleware, Server } from "@oarlock/server-kit";
import { MINIMAL, minimalTool, type MinimalTools } from "./minimal-tools.ts";

type Request = Parameters<NonNullable<Middleware["isFor"]>>[0]["http"];

/** The toolsets that a request names, in its address and in its header: each of these lists narrows the tools. */
const toolsetsOf = (request: Request): string[][] =>
  [request?.query.get("toolsets"), request?.headers["x-mcp-toolsets"]].flatMap((text) => {
    const names = (text ?? "").split(",").flatMap((name) => name.trim() || []);
    return names.length === 0 ? [] : [names];
  });

const isReadOnly = (request: Request): boolean =>
  [request?.query.get("readonly"), request?.headers["x-mcp-readonly"]].some((text) => /^(1|true)$/i.test(text ?? ""));

/** The toolset `minimal` lists its tools in their short form. `?toolsets=a,b&readonly=1`, or the headers `X-MCP-Toolsets` and `X-MCP-Readonly`. */
export const requestedTools = (tools: Server["tools"], minimal: MinimalTools = {}): Middleware => ({
  isFor: ({ http }) => toolsetsOf(http).length > 0 || isReadOnly(http),
  list(items, { method, http }) {
    if (method !== "tools/list") return items;
    const [toolsets, readOnly] = [toolsetsOf(http), isReadOnly(http)];
    return items.flatMap((item) => {
      const tool = tools.get(item.name);
      if (tool === undefined || (readOnly && tool.hints.readOnly !== true)) return [];
      if (toolsets.every((names) => names.includes(tool.toolset))) return [item];
      const few = Object.hasOwn(minimal, tool.name) ? minimal[tool.name] : undefined;
      const isListed = few !== undefined && toolsets.every((names) => names.includes(tool.toolset) || names.includes(MINIMAL));
      return isListed ? [minimalTool(tool, few).listing() as typeof item] : []; // an entry of the same list
    });
  },
});
