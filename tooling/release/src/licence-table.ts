/** Licences of what the servers install and bundle, as a table. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { licenceOf, type Sbom } from "./sbom.ts";

/** Licences that allow to pass on a package with a server under MIT, when its text goes along. */
const ALLOWED = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0", "MIT OR Apache"]);

/** The rows of one server: package and licence, once where it is installed and bundled in two versions. Throws where a licence is missing or not allowed. */
export function licencesIn({ components }: Sbom): [name: string, licence: string][] {
  const foreign = components.filter(({ name }) => !name.startsWith("@oarlock/"));
  // Packages for one kind of machine differ between machines; all of them have the licence of the package that chooses.
  const chosen = foreign.filter(({ name }) => !/-(?:linux|darwin|win32|windows)-\w+$/.test(name));
  const rows = new Map(chosen.map((one) => [one.name, licenceOf(one) ?? ""]));
  const wrong = foreign.filter((one) => !ALLOWED.has(licenceOf(one) ?? "")).map((one) => `${one.name} (${licenceOf(one) ?? "none"})`);
  if (wrong.length > 0)
    throw new Error(`Licences are missing or not allowed: ${wrong.join(", ")}. Read them, then replace the package or add the licence.`);
  return [...rows];
}

export function licenceTable(sboms: ReadonlyMap<string, Sbom>): string {
  const servers = [...sboms.keys()];
  const users = new Map<string, Set<string>>();
  for (const [server, sbom] of sboms)
    for (const row of licencesIn(sbom)) users.set(row.join("\t"), (users.get(row.join("\t")) ?? new Set()).add(server));
  const rows = [...users].toSorted(([a], [b]) => a.localeCompare(b));
  return `${markdownTable(
    ["package", "licence", ...servers],
    rows.map(([row, of]) => [...row.split("\t"), ...servers.map((server) => (of.has(server) ? "yes" : "–"))]),
  )}\n`;
}
