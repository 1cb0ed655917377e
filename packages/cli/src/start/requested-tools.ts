// requestedTools: the tools that a request over HTTP asks for, by its address or its headers. Never more than the operator has registered.
import type { Middleware, Server } from "@oarlock/server-kit";

type Request = Parameters<NonNullable<Middleware["isFor"]>>[0]["http"];

/** The toolsets that a request names, in its address and in its header: each of these lists narrows the tools. */
const toolsetsOf = (request: Request): string[][] =>
  [request?.query.get("toolsets"), request?.headers["x-mcp-toolsets"]].flatMap((text) => {
    const names = (text ?? "").split(",").flatMap((name) => name.trim() || []);
    return names.length === 0 ? [] : [names];
  });

const isReadOnly = (request: Request): boolean =>
  [request?.query.get("readonly"), request?.headers["x-mcp-readonly"]].some((text) => /^(1|true)$/i.test(text ?? ""));

/** `?toolsets=a,b&readonly=1`, or the headers `X-MCP-Toolsets` and `X-MCP-Readonly`. */
export const requestedTools = (tools: Server["tools"]): Middleware => ({
  isFor: ({ http }) => toolsetsOf(http).length > 0 || isReadOnly(http),
  list(items, { method, http }) {
    if (method !== "tools/list") return items;
    const [toolsets, readOnly] = [toolsetsOf(http), isReadOnly(http)];
    return items.filter(({ name }) => {
      const tool = tools.get(name);
      if (tool === undefined || (readOnly && tool.hints.readOnly !== true)) return false;
      return toolsets.every((names) => names.includes(tool.toolset));
    });
  },
});
