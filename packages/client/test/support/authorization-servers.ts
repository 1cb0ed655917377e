// An MCP endpoint that demands tokens, and an authorization server, both plain HTTP servers whose behaviour a test can change.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "@oarlock/server-kit/protocol";

export interface Http extends AsyncDisposable {
  readonly origin: string;
  /** Method and path of each request, in order. */
  readonly requests: string[];
}

export async function startHttp(listener: RequestListener): Promise<Http> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, value: object, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk as string;
  return new URLSearchParams(text);
}

export interface AuthorizationServer extends Http {
  /** Members that replace those of the metadata. */
  metadata: Json;
  /** Changes the parameters of the redirect to the client. */
  redirect: (parameters: URLSearchParams) => void;
  /** The query of each login, in order. */
  readonly logins: URLSearchParams[];
  /** The form of each token request, in order. */
  readonly tokenRequests: URLSearchParams[];
  /** Answers a token request in place of the server. */
  answerToken: ((form: URLSearchParams, response: ServerResponse) => void) | undefined;
  /** The tokens that are valid, with their scopes. */
  readonly tokens: Map<string, string>;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const codes = new Map<string, URLSearchParams>();
  let count = 0;
  const http = await startHttp((request, response) => void handle(request, response));
  const server: AuthorizationServer = Object.assign(http, {
    metadata: {},
    redirect: () => undefined,
    logins: [],
    tokenRequests: [],
    answerToken: undefined,
    tokens: new Map(),
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin } = http;
    const url = new URL(request.url ?? "", origin);
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return sendJson(response, { ...metadataOf(origin), ...server.metadata });
    if (url.pathname === "/register") return sendJson(response, { client_id: `client-${++count}` }, 201);
    if (url.pathname === "/authorize") {
      server.logins.push(url.searchParams);
      codes.set(`code-${++count}`, url.searchParams);
      const parameters = new URLSearchParams({ code: `code-${count}`, state: url.searchParams.get("state") ?? "", iss: origin });
      server.redirect(parameters);
      return void response.writeHead(302, { location: `${url.searchParams.get("redirect_uri")}?${parameters}` }).end();
    }
    if (url.pathname !== "/token") return void response.writeHead(404).end();
    const form = await formOf(request);
    server.tokenRequests.push(form);
    if (server.answerToken !== undefined) return server.answerToken(form, response);
    const login = codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRefresh = form.get("grant_type") === "refresh_token";
    if (!isRefresh && login?.get("code_challenge") !== challenge) return sendJson(response, { error: "invalid_grant" }, 400);
    const token = `token-${++count}`;
    server.tokens.set(token, login?.get("scope") ?? "");
    sendJson(response, { access_token: token, token_type: "Bearer", refresh_token: `refresh-${count}`, expires_in: 3600 });
  }
  return server;
}

const metadataOf = (origin: string): Json => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  token_endpoint_auth_methods_supported: ["none"],
});

export interface ResourceServer extends Http {
  /** Members that replace those of the resource metadata. */
  metadata: Json;
  /** The authorization server whose tokens are accepted. */
  issuer: AuthorizationServer;
  /** The scope that a request needs. */
  scope: string | undefined;
  /** The `Authorization` headers of requests, in order. */
  readonly authorizations: (string | undefined)[];
}

/** An endpoint at `/mcp` that answers any request with "ok" when its token is valid. */
export async function startResourceServer(issuer: AuthorizationServer): Promise<ResourceServer> {
  const http = await startHttp((request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource/mcp"))
      return sendJson(response, { resource: `${http.origin}/mcp`, authorization_servers: [server.issuer.origin], ...server.metadata });
    if (request.url !== "/mcp") return void response.writeHead(404).end();
    server.authorizations.push(request.headers.authorization);
    const scopes = server.issuer.tokens.get(request.headers.authorization?.replace("Bearer ", "") ?? "");
    if (scopes === undefined) return challenge(response, 401, "invalid_token");
    if (server.scope !== undefined && !scopes.split(" ").includes(server.scope)) return challenge(response, 403, "insufficient_scope");
    response.end("ok");
  });
  const challenge = (response: ServerResponse, status: number, error: string): void => {
    const scope = server.scope === undefined ? "" : `, scope="${server.scope}"`;
    response.writeHead(status, { "www-authenticate": `Bearer error="${error}"${scope}` }).end();
  };
  const server: ResourceServer = Object.assign(http, { metadata: {}, issuer, scope: undefined, authorizations: [] });
  return server;
}

/** Does what a browser does on a login page that redirects at once. */
export async function followLogin(url: URL): Promise<void> {
  await (await fetch(url)).text();
}
