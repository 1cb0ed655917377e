// What the address of the page asks for.

export interface PageRequest {
  /** Address of the server's MCP endpoint. */
  readonly server: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly theme: "light" | "dark";
  /** Width of the view, in pixels. */
  readonly width: number;
  /** The revision to pin, such as 2026-07-28; undefined for a handshake. */
  readonly revision: string | undefined;
}

/** Reads the query of the page's address; undefined without a tool. */
export function readRequest(search: string): PageRequest | undefined {
  const query = new URLSearchParams(search);
  const [server, tool] = [query.get("endpoint"), query.get("tool")];
  if (server === null || tool === null) return undefined;
  return {
    server,
    tool,
    args: JSON.parse(query.get("args") ?? "{}") as Record<string, unknown>, // the call of a demo or a test
    theme: query.get("theme") === "dark" ? "dark" : "light",
    width: Number(query.get("width") ?? 800),
    revision: query.get("revision") ?? undefined,
  };
}
