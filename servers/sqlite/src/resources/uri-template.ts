// Matches URIs against the templates of this server. Names of tables may contain a slash, written %2F, so a URI is split before it is
// decoded.
import { invalidParams } from "@oarlock/server-kit";

/** Returns a function that gives the variables of a matching URI. */
export function uriMatcher<V extends string>(template: string): (uri: string) => Record<V, string> | undefined {
  const parts = template.split("/");
  return (uri) => {
    const given = uri.split("/");
    const matches = given.length === parts.length && parts.every((part, index) => matchesPart(part, given[index] ?? "", index === 0));
    if (!matches) return undefined;
    const variables = parts.flatMap((part, index) => (isVariable(part) ? [[part.slice(1, -1), decode(given[index] ?? "")]] : []));
    return Object.fromEntries(variables) as Record<V, string>; // V names the variables of the template
  };
}

const isVariable = (part: string): boolean => part.startsWith("{");

/** URI schemes are case-insensitive. */
const matchesPart = (part: string, given: string, isScheme: boolean): boolean =>
  isVariable(part) ? given !== "" : (isScheme ? given.toLowerCase() : given) === part;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidParams("Malformed percent escape in the URI");
  }
}
