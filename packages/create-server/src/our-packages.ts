// Where the packages of ours that a new server needs come from, when --kit names something else than the published version.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const SCOPE = "@oarlock/";
const KIT = `${SCOPE}server-kit`;

/** A version, a range or a tag: all our packages have it in common. */
const isVersion = (spec: string): boolean => !/[:/]/.test(spec);

/**
 * A package → its dependency spec. A tarball of the kit stands for those of our other packages too that lie beside it, as
 * `pnpm pack:all` writes them; anything else but a version stands for the kit alone.
 */
export function ourPackages(kit: string, needed: readonly string[]): Record<string, string> {
  const specs: Record<string, string> = kit.startsWith("file:") ? beside(kit.slice("file:".length)) : {};
  for (const name of isVersion(kit) ? needed.filter((one) => one.startsWith(SCOPE)) : []) specs[name] = kit;
  return { ...specs, [KIT]: kit };
}

/** The tarballs in the folder of the kit's, of the same version. */
function beside(kit: string): Record<string, string> {
  const [, version = ""] = /^oarlock-server-kit-(.+)$/.exec(basename(kit)) ?? [];
  if (version === "" || !existsSync(dirname(kit))) return {};
  const names = readdirSync(dirname(kit)).filter((name) => name.startsWith("oarlock-") && name.endsWith(`-${version}`));
  return Object.fromEntries(
    names.map((name) => [
      `${SCOPE}${name.slice("oarlock-".length, -version.length - 1)}`,
      `file:${join(dirname(kit), name).replaceAll("\\", "/")}`,
    ]),
  );
}
