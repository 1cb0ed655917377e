// Whether a server that runs answers on a port: doctor is asked beside one too.
import { existsSync, readFileSync } from "node:fs";

const LIMIT_MS = 1000;

/** The operations port of one of our servers. */
export async function answersReadiness(origin: string): Promise<boolean> {
  return /^(ok|starting|draining|degraded: .+|failing: .+)\n$/.test(await textAt(`${origin}/readyz`));
}

/** The server with this `server.json`: the catalog there names it. */
export async function isInCatalog(origin: string, serverJson: URL | undefined): Promise<boolean> {
  if (serverJson === undefined || !existsSync(serverJson)) return false;
  const { name } = JSON.parse(readFileSync(serverJson, "utf8")) as { name: string }; // our own file, which tests validate
  const catalog = await textAt(`${origin}/.well-known/ai-catalog.json`);
  return catalog.includes(`:mcp:${name.split("/").at(-1)}"`);
}

const textAt = (url: string): Promise<string> =>
  fetch(url, { redirect: "manual", signal: AbortSignal.timeout(LIMIT_MS) }).then(
    (response) => response.text(),
    () => "",
  );
