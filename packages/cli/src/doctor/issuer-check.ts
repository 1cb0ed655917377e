// Check of the authorization server: its certificate, metadata, keys, and how far its clock is from that of this machine.
import { quoted } from "../start/start-error.ts";
import { failed, passed, type Check } from "./check.ts";

const NAME = "issuer";
const ANSWER_MS = 3000;
/** As much as a server accepts by default. */
const MAX_SKEW_S = 5;

/** In the order of the MCP specification: RFC 8414, then OpenID Connect with the path inserted and appended. */
function metadataUrls({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

const get = (url: string): Promise<Response> => fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });

export async function checkIssuer(issuer: string): Promise<Check> {
  const remedy = "Correct --oauth-issuer; it is written exactly as in the metadata of the authorization server.";
  const url = URL.parse(issuer);
  if (url === null) return failed(NAME, `${quoted(issuer)} is not a URL.`, remedy);
  try {
    const metadata = await metadataOf(url);
    if (metadata === undefined) return failed(NAME, `${issuer} has no metadata of an authorization server.`, remedy);
    const { issuer: named, jwks_uri: keysUrl } = metadata.body as { issuer?: unknown; jwks_uri?: unknown };
    if (named !== issuer) return failed(NAME, `The metadata of ${issuer} names the issuer ${quoted(String(named).slice(0, 300))}.`, remedy);
    const { keys } = (await (await get(String(keysUrl))).json()) as { keys?: unknown };
    if (!Array.isArray(keys) || keys.length === 0)
      return failed(NAME, `${issuer} publishes no keys.`, "Make a signing key there, and publish it at jwks_uri.");
    const skewS = Math.round(Math.abs(Date.parse(metadata.date) - Date.now()) / 1000);
    if (skewS > MAX_SKEW_S)
      return failed(NAME, `The clock of ${issuer} differs from the one here by ${skewS} s.`, "Set both clocks by NTP: tokens are refused.");
    return passed(NAME, `${issuer} has metadata and ${keys.length === 1 ? "1 key" : `${keys.length} keys`}.`);
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }; // of fetch
    const reason = cause?.code ?? (error instanceof Error ? error.message : "no answer");
    return failed(
      NAME,
      `${issuer} cannot be asked (${reason}).`,
      /CERT|SIGNATURE/.test(reason)
        ? "Its certificate is not for that name, has ended, or is of an authority of your own: then set NODE_EXTRA_CA_CERTS=ca.pem, for the server too."
        : "Check its address and the network between.",
    );
  }
}

async function metadataOf(issuer: URL): Promise<{ body: object; date: string } | undefined> {
  for (const url of metadataUrls(issuer)) {
    const response = await get(url);
    const body: unknown = response.status === 200 ? await response.json() : undefined;
    if (typeof body === "object" && body !== null) return { body, date: response.headers.get("date") ?? "" };
  }
  return undefined;
}
