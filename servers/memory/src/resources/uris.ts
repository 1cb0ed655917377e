// URIs of resources: `memory://entity/` and the percent-encoded name, slashes included.
import { invalidParams } from "@oarlock/server-kit";

export type ResourceKind = "entity" | "type" | "relation";

export const resourceUri = (kind: ResourceKind, name: string): string => `memory://${kind}/${encodeURIComponent(name)}`;

/** The name in a URI of this kind; undefined for other URIs. */
export function nameFromUri(uri: string, kind: ResourceKind): string | undefined {
  const prefix = `memory://${kind}/`;
  if (uri.slice(0, prefix.length).toLowerCase() !== prefix || uri.length === prefix.length) return undefined;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    throw invalidParams("Malformed percent escape in the URI");
  }
}

/** The `match` of a template for URIs of a kind, whose only variable is the name. */
export const matchName =
  <V extends string>(kind: ResourceKind, variable: V) =>
  (uri: string): Record<V, string> | undefined => {
    const name = nameFromUri(uri, kind);
    return name === undefined ? undefined : ({ [variable]: name } as Record<V, string>); // the only variable
  };
