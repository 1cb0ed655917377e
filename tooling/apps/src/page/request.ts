// What the address of the page asks for.

export interface PageRequest {
  readonly endpoint: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly theme: "light" | "dark";
  /** Width of the view, in pixels. */
  readonly width: number;
  /** The revision to pin, such as 2026-07-28; undefined for a handshake. */
  readonly revision: string | undefined;
  readonly callsTools: boolean;
}

type Call = Pick<PageRequest, "endpoint" | "tool" | "args">;

declare global {
  interface Window {
    /** The calls of the demo, by `server/view`, and by `server/view/tool` for further ones; written by the server of the page. */
    demoCalls?: Record<string, Call>;
  }
}

/** `server` and `view` name a call of the demo; `endpoint`, `tool` and `args` are any other. */
function callOf(query: URLSearchParams): Call | undefined {
  const name = `${query.get("server")}/${query.get("view")}`;
  const demo = window.demoCalls?.[`${name}/${query.get("tool")}`] ?? window.demoCalls?.[name];
  const args = query.get("args");
  const given = args === null ? undefined : (JSON.parse(args) as Record<string, unknown>); // the call of a demo or a test
  if (demo !== undefined) return { ...demo, ...(given !== undefined && { args: given }) };
  const [endpoint, tool] = [query.get("endpoint"), query.get("tool")];
  return endpoint === null || tool === null ? undefined : { endpoint, tool, args: given ?? {} };
}

/** Reads the query of the page's address; undefined without a call. */
export function readRequest(search: string): PageRequest | undefined {
  const query = new URLSearchParams(search);
  const call = callOf(query);
  if (call === undefined) return undefined;
  return {
    ...call,
    theme: query.get("theme") === "dark" ? "dark" : "light",
    width: Number(query.get("width") ?? 800),
    revision: query.get("revision") ?? undefined,
    callsTools: query.get("tools") !== "none",
  };
}
