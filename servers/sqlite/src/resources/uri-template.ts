// Which addresses a template of this server serves: as its text says, but a name may hold a slash, written %2F.
import { invalidParams } from "@oarlock/server-kit";

/** Gives the variables of an address that fits. Tables are called what people like, and the address is cut before it is decoded. */
export function addressOf<V extends string>(template: string): (uri: string) => Record<V, string> | undefined {
  const wanted = template.split("/");
  return (uri) => {
    const given = uri.split("/");
    const fits = given.length === wanted.length && wanted.every((part, index) => fitsPart(part, given[index] ?? "", index === 0));
    if (!fits) return undefined;
    const named = wanted.flatMap((part, index) => (isVariable(part) ? [[part.slice(1, -1), decoded(given[index] ?? "")]] : []));
    return Object.fromEntries(named) as Record<V, string>; // V names the variables of the template
  };
}

const isVariable = (part: string): boolean => part.startsWith("{");

/** Schemes are compared without regard to case. */
const fitsPart = (wanted: string, given: string, scheme: boolean): boolean =>
  isVariable(wanted) ? given !== "" : (scheme ? given.toLowerCase() : given) === wanted;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidParams("Malformed percent escape in the URI");
  }
}
