// The dependency specs of the Oarlock packages for `--kit`.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const SCOPE = "@oarlock/";
const KIT = `${SCOPE}server-kit`;

/** Whether a spec is a version, a range or a tag: it applies to all Oarlock packages, which have the same version. */
const isVersion = (spec: string): boolean => !/[:/]/.test(spec);

/**
 * The specs by package. A tarball of the kit also selects the tarballs of the other packages in its folder, as `pnpm pack:all` writes
 * them. Other URLs apply to the kit only.
 */
export function packageSpecs(kit: string, needed: readonly string[]): Record<string, string> {
  const specs: Record<string, string> = kit.startsWith("file:") ? siblingTarballs(kit.slice("file:".length)) : {};
  for (const name of isVersion(kit) ? needed.filter((one) => one.startsWith(SCOPE)) : []) specs[name] = kit;
  return { ...specs, [KIT]: kit };
}

/** The tarballs with the kit's version in its folder. */
function siblingTarballs(kit: string): Record<string, string> {
  const [, version = ""] = /^oarlock-server-kit-(.+)$/.exec(basename(kit)) ?? [];
  if (version === "" || !existsSync(dirname(kit))) return {};
  const files = readdirSync(dirname(kit)).filter((name) => name.startsWith("oarlock-") && name.endsWith(`-${version}`));
  return Object.fromEntries(
    files.map((name) => [
      `${SCOPE}${name.slice("oarlock-".length, -version.length - 1)}`,
      `file:${join(dirname(kit), name).replaceAll("\\", "/")}`,
    ]),
  );
}
