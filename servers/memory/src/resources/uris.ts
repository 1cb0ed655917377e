// URIs of resources: `memory://entity/` and the percent-encoded name, slashes included.
import { invalidParams } from "@oarlock/server-kit";

export type ResourceKind = "entity" | "type" | "relation";

export const resourceUri = (kind: ResourceKind, name: string): string => `memory://${kind}/${encodeURIComponent(name)}`;

/** The `match` of a template for URIs of a kind, whose only variable is the name. */
export function matchName<V extends string>(kind: ResourceKind, variable: V): (uri: string) => Record<V, string> | undefined {
  const prefix = `memory://${kind}/`;
  return (uri) => {
    if (uri.slice(0, prefix.length).toLowerCase() !== prefix || uri.length === prefix.length) return undefined;
    try {
      return { [variable]: decodeURIComponent(uri.slice(prefix.length)) } as Record<V, string>; // the only variable
    } catch {
      throw invalidParams("Malformed percent escape in the URI");
    }
  };
}
