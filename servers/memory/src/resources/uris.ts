// Addresses of parts of the memory: `memory://entity/` and a name, percent-encoded, slashes too.
import { invalidParams } from "@oarlock/server-kit";

export const addressOf = (kind: string, name: string): string => `memory://${kind}/${encodeURIComponent(name)}`;

/** The name behind a prefix; undefined where the address begins otherwise. */
export function nameIn(uri: string, kind: string): string | undefined {
  const prefix = `memory://${kind}/`;
  if (uri.slice(0, prefix.length).toLowerCase() !== prefix || uri.length === prefix.length) return undefined;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    throw invalidParams("Malformed percent escape in the URI");
  }
}
