/** A list of the components of a server, in the form of CycloneDX: what npm installs, and what only the bundled views contain. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { packageOf, type About } from "./about.ts";

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string; readonly name?: string }; readonly expression?: string }[];
}

export interface Sbom {
  readonly metadata: { component: Component };
  components: Component[];
}

/** `installed` is a folder with a production installation of the server. */
export async function sbomOf(about: About, installed: string): Promise<Sbom> {
  const sbom = JSON.parse(await outputOf("npm", ["sbom", "--omit=dev", "--sbom-format=cyclonedx"], { cwd: installed })) as Sbom; // npm's own form
  const components = sbom.components.map((one) =>
    one.licenses === undefined ? { ...one, ...licencesOf(join(installed, "node_modules", one.name)) } : one,
  );
  const own = components.find(({ name }) => name === packageOf(about));
  if (own === undefined) throw new Error(`${packageOf(about)} is not installed in ${installed}`);
  sbom.metadata.component = own;
  const known = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const bundled = bundledIn(installed).filter(({ name, version }) => !known.has(`${name}@${version}`));
  sbom.components = [...components, ...bundled].filter((one) => one !== own);
  return sbom;
}

/** A licence that is not in the form of SPDX, which npm leaves out. */
function licencesOf(folder: string): Pick<Component, "licenses"> {
  const { license: name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { license?: string }; // npm has read it
  return name === undefined ? {} : { licenses: [{ license: { name } }] };
}

/** The packages that NOTICES.txt names, which the build writes. */
function bundledIn(installed: string): Component[] {
  const notices = globSync("node_modules/@oarlock/*/dist/NOTICES.txt", { cwd: installed }).map((file) =>
    readFileSync(join(installed, file), "utf8"),
  );
  const titles = notices.flatMap((text) => [...text.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d+\S*) \((.+)\)$/gm)]);
  return titles.map(([, name = "", version = "", id = ""]) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return { type: "library", name, version, purl, "bom-ref": `${name}@${version}`, licenses: [{ license: { id } }] };
  });
}

/** As a table shows it; undefined where nothing is known. */
export function licenceOf({ licenses }: Component): string | undefined {
  const [first] = licenses ?? [];
  return first?.license?.id ?? first?.license?.name ?? first?.expression;
}
