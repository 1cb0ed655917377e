// The code that the page shows for an example of the kit: the file as it is, served by a function instead of over stdio.

const REPLACEMENTS = [
  ['import { serveStdio } from "@oarlock/server-kit/node";', 'import { toFetch } from "@oarlock/server-kit/fetch";'],
  ["await serveStdio(server).ended;", "export default { fetch: toFetch(server, { legacySse: true }) };"],
] as const;

/** Throws when the file does not serve over stdio as the examples do. */
export function toPageSource(file: string): string {
  let source = file;
  for (const [stdio, page] of REPLACEMENTS) {
    if (!source.includes(stdio)) throw new Error(`Example without the line ${JSON.stringify(stdio)}: the page cannot serve it.`);
    source = source.replace(stdio, page);
  }
  return source;
}
