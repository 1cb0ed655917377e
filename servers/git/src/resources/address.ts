// URIs of resources (git:///…). The name of a repository is one segment; a slash in it, or in a revision, is written %2F.
import { invalidParams } from "@oarlock/server-kit";

/** Decodes a segment once. */
function decode(text: string): string {
  try {
    const value = decodeURIComponent(text);
    if (value.includes("\0") || value === "") throw invalidParams("The URI has an empty segment or a NUL character");
    return value;
  } catch (error) {
    throw error instanceof URIError ? invalidParams("Malformed percent escape in the URI") : error;
  }
}

interface Segments {
  readonly repo: string;
  readonly kind: string;
  readonly rest: string | undefined;
}

function segmentsOf(uri: string): Segments | undefined {
  const [, repo, kind, rest] = /^git:\/\/\/([^/?#]+)\/([a-z]+)(?:\/([^?#]*))?$/i.exec(uri) ?? [];
  return repo === undefined || kind === undefined ? undefined : { repo: decode(repo), kind, rest };
}

/** Matches `git:///{repo}/<kind>`. */
export const matchKind = (kind: string) => (uri: string) => {
  const segments = segmentsOf(uri);
  return segments?.kind === kind && segments.rest === undefined ? { repo: segments.repo } : undefined;
};

/** Matches `git:///{repo}/<kind>/{name}`. */
export const matchName =
  <N extends string>(kind: string, name: N) =>
  (uri: string): Record<"repo" | N, string> | undefined => {
    const segments = segmentsOf(uri);
    // The object has both members; the type checker cannot follow a computed name.
    return segments?.kind === kind && segments.rest !== undefined
      ? ({ repo: segments.repo, [name]: decode(segments.rest) } as Record<"repo" | N, string>)
      : undefined;
  };

/** Matches `git:///{repo}/<kind>/{revision}/{+path}`; an empty path is the top. */
export const matchPath = (kind: string) => (uri: string) => {
  const segments = segmentsOf(uri);
  if (segments?.kind !== kind || segments.rest === undefined) return undefined;
  const { repo, rest } = segments;
  const end = rest.indexOf("/");
  const revision = decode(end === -1 ? rest : rest.slice(0, end));
  const path = end === -1 ? "" : rest.slice(end + 1);
  return { repo, revision, path: path === "" ? "." : decode(path) };
};

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

export const uriOf = (repo: string, kind: string, ...names: readonly string[]): string =>
  `git:///${[repo, kind, ...names].map(encode).join("/")}`;
