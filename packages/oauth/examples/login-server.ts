// An authorization server for one MCP server, to try a login on one machine: its pages accept every name with every password.
// Run: npm install oidc-provider && node login-server.ts http://127.0.0.1:3920/mcp sqlite
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const [audience = "http://127.0.0.1:3920/mcp", name = "sqlite", port = "4000", address] = process.argv.slice(2);
const issuer = address ?? `http://127.0.0.1:${port}`; // behind a proxy its https address
const scopes = [`${name}:read`, `${name}:write`]; // those that the MCP server publishes

const provider = new Provider(issuer, {
  scopes: ["openid", "offline_access", ...scopes],
  clientDefaults: { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none" },
  issueRefreshToken: () => Promise.resolve(true), // else a login lasts as long as one access token
  pkce: { required: () => true },
  features: {
    registration: { enabled: true }, // each client registers itself
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        audience, // as in --oauth-audience
        scope: scopes.join(" "),
        accessTokenFormat: "jwt", // what the MCP server can verify
        accessTokenTTL: 900,
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});

provider.proxy = address !== undefined; // the proxy sends X-Forwarded-Proto
const answer = provider.callback();
createServer((request, response) => void answer(request, response)).listen(Number(port), "127.0.0.1", () => {
  console.error(`listening on ${issuer}`);
});
