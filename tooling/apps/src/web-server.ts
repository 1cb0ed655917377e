// The web servers of the page: one for the host, one for the sandbox, which has to be of another origin.
import { createServer, type RequestListener, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { closeServer, listenOn, portOf } from "@oarlock-tooling/test-support/loopback";
import { browserScript } from "../../build/views.ts";

export interface WebServer extends AsyncDisposable {
  readonly origin: string;
  /** The address that shows the view of a call. */
  link(call: Call, look?: Look): string;
}

/** A call of a tool that has a view. */
export interface Call {
  readonly endpoint: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export interface Look {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  /** The revision to use without a handshake. */
  readonly revision?: string | undefined;
  /** Views may call tools. Default true. */
  readonly callsTools?: boolean;
}

/** What the page shows without a call: links to the calls of the demo. */
export interface Index {
  html: string;
  /** By `server/view`, and by `server/view/tool` for further calls of the same view. */
  calls: Readonly<Record<string, Call>>;
}

const EMPTY: Index = { html: "", calls: {} };

export async function startWebServer(index: () => Index = () => EMPTY, port = 0): Promise<WebServer> {
  const [host, sandbox] = await Promise.all([pageScript("host"), pageScript("sandbox")]);
  const outer = await listen((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://page");
    const csp = JSON.parse(searchParams.get("csp") ?? "{}") as Record<string, string[]>; // written by the host
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policyOf(csp) });
    response.end(
      `<!doctype html><html lang="en"><title>Sandbox</title><style>${FRAME_STYLE}</style><body><script type="module">${sandbox}</script>`,
    );
  });
  const page = await listen((request, response) => {
    if (request.url === "/favicon.ico") return void response.writeHead(204).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    const { html, calls } = index();
    const facts = JSON.stringify({ sandboxOrigin: originOf(outer), demoCalls: calls }).replaceAll("<", "\\u003c");
    response.end(pageHtml(html, `Object.assign(window,${facts});${host}`));
  }, port);
  return {
    origin: originOf(page),
    link({ endpoint, tool, args }, { theme = "light", width = 800, revision, callsTools = true } = {}) {
      const query = new URLSearchParams({ endpoint, tool, args: JSON.stringify(args), theme, width: String(width) });
      if (revision !== undefined) query.set("revision", revision);
      if (!callsTools) query.set("tools", "none");
      return `${originOf(page)}/?${query.toString()}`;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([page, outer].map(closeServer));
    },
  };
}

/** The default policy of MCP Apps, with the origins that the view declares. The style of the outer frame is inline too. */
function policyOf({ connectDomains = [], resourceDomains = [], frameDomains = [] }: Record<string, string[]>): string {
  const sources = (...list: readonly string[]): string => list.join(" ");
  return [
    "default-src 'none'",
    `script-src ${sources("'self'", "'unsafe-inline'", ...resourceDomains)}`,
    `style-src ${sources("'self'", "'unsafe-inline'", ...resourceDomains)}`,
    `img-src ${sources("'self'", "data:", ...resourceDomains)}`,
    `font-src ${sources("'self'", ...resourceDomains)}`,
    `media-src ${sources("'self'", "data:", ...resourceDomains)}`,
    `connect-src ${connectDomains.length === 0 ? "'none'" : sources(...connectDomains)}`,
    `frame-src ${frameDomains.length === 0 ? "'none'" : sources(...frameDomains)}`,
    "object-src 'none'",
    "base-uri 'self'",
  ].join("; ");
}

const FRAME_STYLE = "html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%;display:block}";
const PAGE_STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:16px}#view iframe{border:1px solid #8888;border-radius:8px;display:block}
#view iframe.fullscreen{position:fixed;inset:0;width:100%!important;height:100%!important;z-index:1}dialog label{display:block;margin:8px 0}dialog button{margin-right:8px}#status{color:GrayText}`;

const pageHtml = (index: string, script: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Oarlock: views</title><style>${PAGE_STYLE}</style></head>
<body><div id="index">${index}</div><p id="status"></p><div id="view"></div><script type="module">${script}</script></body></html>`;

async function pageScript(name: string): Promise<string> {
  const { code } = await browserScript(fileURLToPath(new URL(`page/${name}.ts`, import.meta.url)));
  return code;
}

async function listen(listener: RequestListener, port = 0): Promise<Server> {
  const server = createServer(listener);
  await listenOn(server, port);
  return server;
}

const originOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;
