// Host configuration by address: the entry by which a host connects to a server over HTTP. Imports types only, like ../host-config.ts.
import type { Environment } from "../process/environment.ts";
import { addressOfHost, type Host, type SharedOptions } from "../shared-flags.ts";

/** Where a server over HTTP is reached. */
export interface Address {
  url: string;
  /** Whether it takes one fixed token. With OAuth the host logs in by itself. */
  hasToken: boolean;
}

/** Settings are shown, copied and committed, so the token is never in the entry: most hosts read a variable. */
const VARIABLE = "OARLOCK_TOKEN";
const INPUT = "oarlock-token";

const SET_VARIABLE = `Set ${VARIABLE} to the access token where the host starts.`;
const REPLACE_WORD = "Replace TOKEN with the access token.";

const PUBLIC_ADDRESS = "For other machines, add --public-url with the address of the server that they see.";
const isHere = (url: string): boolean => /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url);

interface UrlFormat {
  entry(name: string, address: Address): string;
  /** What to do about the token. */
  note: string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** An object with the address in one member and the token in a header. */
function members(key: string, urlKey: string, token: string, note: string, more: Record<string, unknown> = {}): UrlFormat {
  return {
    note,
    entry: (name, { url, hasToken }) =>
      json({ [key]: { [name]: { ...more, [urlKey]: url, ...(hasToken && { headers: { Authorization: `Bearer ${token}` } }) } } }),
  };
}

const FORMATS: Record<Exclude<Host, "claude-desktop">, UrlFormat> = {
  "claude-code": members("mcpServers", "url", `\${${VARIABLE}}`, SET_VARIABLE, { type: "http" }),
  vscode: { entry: vscode, note: "The editor asks for the access token once." },
  cursor: members("mcpServers", "url", `\${env:${VARIABLE}}`, SET_VARIABLE),
  codex: { entry: toml, note: SET_VARIABLE },
  gemini: members("mcpServers", "httpUrl", `\${${VARIABLE}}`, SET_VARIABLE),
  zed: members("context_servers", "url", "TOKEN", REPLACE_WORD),
  json: members("mcpServers", "url", "TOKEN", REPLACE_WORD),
};

/** The entry for stdout and what else to do, or the reason why there is none. */
export function urlConfigFor(host: Host, name: string, address: Address): { entry: string; note?: string } | { reason: string } {
  if (host === "claude-desktop")
    return {
      reason:
        `The settings file of Claude Desktop has no entries with an address. Add ${address.url} under Settings, Connectors, ` +
        "which needs an address that the internet reaches, or remove --http for an entry that starts this server over stdio.",
    };
  const { entry, note } = FORMATS[host];
  const notes = [...(address.hasToken ? [note] : []), ...(isHere(address.url) ? [PUBLIC_ADDRESS] : [])];
  return { entry: `${entry(name, address)}\n`, ...(notes.length > 0 && { note: notes.join(" ") }) };
}

/** The address according to the switches of HTTP, or the reason why there is none. */
export function addressOf(options: SharedOptions, env: Environment): Address | { reason: string } {
  const { host, port, socket, publicUrl, oauthIssuer, oauthAudience, authTokenFile } = options;
  const hasToken = oauthIssuer === undefined && (authTokenFile !== undefined || env.OARLOCK_AUTH_TOKEN !== undefined);
  if (publicUrl !== undefined) return { url: publicUrl, hasToken };
  if (socket !== undefined)
    return { reason: "--print-config needs an address: hosts do not connect to a socket. Add --public-url, or remove --socket." };
  if (oauthAudience !== undefined) return { url: oauthAudience, hasToken: false };
  if (port === 0) return { reason: "--print-config needs a fixed port: --port 0 takes another one at each start. Choose one with --port." };
  return { url: `http://${reachable(host)}:${port}/mcp`, hasToken };
}

/** No client can connect to the wildcard address of a machine. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  const address = addressOfHost(host);
  if (address === "::") return "[::1]";
  return address.includes(":") ? `[${address}]` : address;
}

function vscode(name: string, { url, hasToken }: Address): string {
  const inputs = [{ type: "promptString", id: INPUT, description: `Access token of ${name}`, password: true }];
  const headers = { Authorization: `Bearer \${input:${INPUT}}` };
  return json({ ...(hasToken && { inputs }), servers: { [name]: { type: "http", url, ...(hasToken && { headers }) } } });
}

/** TOML for Codex. A JSON string is a TOML string here: an address has no DEL. */
function toml(name: string, { url, hasToken }: Address): string {
  const key = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
  const token = hasToken ? `\nbearer_token_env_var = ${JSON.stringify(VARIABLE)}` : "";
  return `[mcp_servers.${key}]\nurl = ${JSON.stringify(url)}${token}`;
}
