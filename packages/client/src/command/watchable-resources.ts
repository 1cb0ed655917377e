// Finds the listed resources that can be watched. Lists do not tell, so the client subscribes to each for a moment.
import type { Json } from "@oarlock/server-kit/protocol";
import type { Client } from "../client.ts";

/** Resources that are tried; a server limits the subscriptions of one client. */
const MAX_TRIED = 100;

/** The URIs that the server accepts subscriptions to, among the first of a list. Empty where it has no subscriptions. */
export async function watchableOf(client: Client, resources: readonly Json[]): Promise<string[]> {
  if (client.capabilities.resources?.subscribe !== true) return [];
  const uris = resources.flatMap(({ uri }) => (typeof uri === "string" ? [uri] : [])).slice(0, MAX_TRIED);
  if (uris.length === 0) return [];
  await using stream = client.listen({ uris });
  try {
    const accepted = await stream.ready;
    return uris.filter((uri) => accepted.uris?.includes(uri) === true);
  } catch {
    return []; // the list itself is complete without it
  }
}
