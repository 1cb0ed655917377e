// git: addresses. The name of a repository is one segment; a slash in it, or in a revision, is written %2F.
import { invalidParams } from "@oarlock/server-kit";

/** Decoded once; what could be read in two ways is refused. */
function decoded(text: string): string {
  try {
    const value = decodeURIComponent(text);
    if (value.includes("\0") || value === "") throw invalidParams("The address names nothing");
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
  return repo === undefined || kind === undefined ? undefined : { repo: decoded(repo), kind, rest };
}

/** `git:///{repo}/<kind>` */
export const alone = (kind: string) => (uri: string) => {
  const found = segmentsOf(uri);
  return found?.kind === kind && found.rest === undefined ? { repo: found.repo } : undefined;
};

/** `git:///{repo}/<kind>/{name}` */
export const withName =
  <N extends string>(kind: string, name: N) =>
  (uri: string): Record<"repo" | N, string> | undefined => {
    const found = segmentsOf(uri);
    // Both members are there: the type cannot follow a computed name.
    return found?.kind === kind && found.rest !== undefined
      ? ({ repo: found.repo, [name]: decoded(found.rest) } as Record<"repo" | N, string>)
      : undefined;
  };

/** `git:///{repo}/<kind>/{revision}/{+path}`, where the path may be empty: the top. */
export const withPath = (kind: string) => (uri: string) => {
  const found = segmentsOf(uri);
  if (found?.kind !== kind || found.rest === undefined) return undefined;
  const end = found.rest.indexOf("/");
  const revision = decoded(end === -1 ? found.rest : found.rest.slice(0, end));
  const path = end === -1 ? "" : found.rest.slice(end + 1);
  return { repo: found.repo, revision, path: path === "" ? "." : decoded(path) };
};

const segment = (text: string): string => encodeURIComponent(text.toWellFormed());

export const addressOf = (repo: string, kind: string, ...names: readonly string[]): string =>
  `git:///${[repo, kind, ...names].map(segment).join("/")}`;
