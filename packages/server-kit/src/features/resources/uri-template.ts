// The part of RFC 6570 that resources use: literals, `{name}` (one segment) and `{+name}` (any characters).
// Matching is one pass from left to right, without regular expressions, so its cost is linear in the address.
import { invalidParams } from "../../protocol/errors.ts";

type Piece = { readonly literal: string } | { readonly name: string; readonly reserved: boolean };

export interface UriTemplate {
  /** The decoded variables when the address fits, else undefined. Throws -32602 on broken percent escapes. */
  match(uri: string): Record<string, string> | undefined;
}

const MAX_LENGTH = 2048;
const MAX_VARIABLES = 16;

/** Compiles a template. Throws on operators that are not served, on variables that touch, and on what is too long. */
export function uriTemplate(source: string): UriTemplate {
  if (source.length > MAX_LENGTH) throw new TypeError(`URI template longer than ${MAX_LENGTH} characters`);
  const pieces = parse(source);
  const names = pieces.flatMap((piece) => ("name" in piece ? piece.name : []));
  if (names.length > MAX_VARIABLES || new Set(names).size !== names.length) {
    throw new TypeError(`URI template ${source}: expected at most ${MAX_VARIABLES} variables, each once`);
  }
  return {
    match: (uri) => match(pieces, lowerScheme(uri)),
  };
}

function parse(source: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  while (from < source.length) {
    const open = source.indexOf("{", from);
    const literal = source.slice(from, open === -1 ? undefined : open);
    if (literal.includes("}")) throw new TypeError(`URI template ${source}: "}" without "{"`);
    if (literal !== "") pieces.push({ literal: from === 0 ? lowerScheme(literal) : literal });
    if (open === -1) break;
    const close = source.indexOf("}", open);
    const found = /^\{(\+?)([A-Za-z_][A-Za-z0-9_]{0,63})\}$/.exec(source.slice(open, close + 1));
    if (found === null) throw new TypeError(`URI template ${source}: only {name} and {+name} are served`);
    if (pieces.length > 0 && "name" in (pieces.at(-1) ?? {})) throw new TypeError(`URI template ${source}: two variables touch`);
    pieces.push({ name: found[2] ?? "", reserved: found[1] === "+" });
    from = close + 1;
  }
  return pieces;
}

function match(pieces: readonly Piece[], uri: string): Record<string, string> | undefined {
  const values: [string, string][] = [];
  let from = 0;
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece === undefined) return undefined;
    if ("literal" in piece) {
      if (!uri.startsWith(piece.literal, from)) return undefined;
      from += piece.literal.length;
      continue;
    }
    const next = pieces[at + 1];
    const literal = next !== undefined && "literal" in next ? next.literal : undefined;
    // What follows the last variable must end the address; in between, the nearest place counts.
    const end = literal === undefined ? uri.length : at + 2 === pieces.length ? uri.length - literal.length : uri.indexOf(literal, from);
    if (end <= from || (literal !== undefined && !uri.startsWith(literal, end))) return undefined;
    const value = decode(uri.slice(from, end));
    if (!piece.reserved && value.includes("/")) return undefined;
    values.push([piece.name, value]);
    from = end;
  }
  return from === uri.length ? Object.fromEntries(values) : undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalidParams("Malformed percent escape in the URI");
  }
}

/** Schemes are compared without regard to case (RFC 3986, 3.1). */
export function lowerScheme(uri: string): string {
  const colon = uri.indexOf(":");
  return colon < 1 ? uri : uri.slice(0, colon).toLowerCase() + uri.slice(colon);
}
