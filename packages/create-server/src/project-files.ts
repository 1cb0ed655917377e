// The files of a new server, with its name, its path and its dependencies.
import { bundledFiles, bundledServers, type Files } from "./bundled-files.ts";
import { CommandError } from "./command-error.ts";
import type { Options } from "./options.ts";
import { packageSpecs } from "./package-specs.ts";
import { selectParts } from "./template-parts.ts";

/** Placeholders in the bundled files. */
const FOLDER_PLACEHOLDER = "/absolute/path/to/my-server";
const PACKAGE_PLACEHOLDER = "my-package";
const COMMAND_PLACEHOLDER = "my-server";

/** Pages of a copy with placeholders. */
const PAGES = ["README.md", "DESIGN.md"];

/** Written by the command, because npm leaves files named `.gitignore` out of a package. */
const GITIGNORE = Buffer.from("node_modules\ndist\n");

export function projectFiles(options: Options): Files {
  const files = options.from === undefined ? smallServer(options) : serverCopy(options.from, options);
  const settings = pnpmSettings(options);
  return settings === undefined ? files : files.set("pnpm-workspace.yaml", Buffer.from(settings));
}

function smallServer(options: Options): Files {
  const files = bundledFiles("template");
  for (const [path, content] of files) {
    if (path !== "package.json") files.set(path, Buffer.from(fillPlaceholders(selectParts(content.toString(), options.parts), options)));
  }
  files.set(".gitignore", GITIGNORE);
  const sources = [...files.values()].join("\n");
  return files.set(
    "package.json",
    manifest(files, options, (name) => sources.includes(`from "${name}`)),
  );
}

function serverCopy(server: string, options: Options): Files {
  const files = bundledFiles(`from/${server}`);
  const binary = `oarlock-${server}`;
  for (const [path, content] of files) {
    if (PAGES.includes(path)) files.set(path, Buffer.from(fillPlaceholders(String(content), options, binary)));
    else if (/\.(?:ts|json|md)$/.test(path)) files.set(path, Buffer.from(content.toString().replaceAll(binary, () => options.command)));
  }
  files.set(".gitignore", GITIGNORE);
  return files.set(
    "package.json",
    manifest(files, options, () => true),
  );
}

/** Replaces all placeholders in one pass, as a new name may contain another placeholder. */
function fillPlaceholders(text: string, { name, command, folder }: Options, binary: string = COMMAND_PLACEHOLDER): string {
  const values: Readonly<Record<string, string>> = {
    [FOLDER_PLACEHOLDER]: JSON.stringify(folder.replaceAll("\\", "/")).slice(1, -1), // occurs only in JSON
    [PACKAGE_PLACEHOLDER]: name,
    [COMMAND_PLACEHOLDER]: command,
    [binary]: command,
  };
  return text.replaceAll(new RegExp(Object.keys(values).join("|"), "g"), (placeholder) => values[placeholder] ?? placeholder);
}

interface Manifest {
  name: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The bundled package.json with the name and the needed dependencies of the new server. */
function manifest(files: Files, { name, command, kit }: Options, isNeeded: (dependency: string) => boolean): Buffer {
  const bundled = JSON.parse(String(files.get("package.json"))) as Manifest; // our own file, tested
  if ([bundled.dependencies, bundled.devDependencies].some((all) => Object.hasOwn(all, name)))
    throw new CommandError(2, `Invalid package name "${name}": the server depends on a package with this name. Choose another one.`);
  const dependencies = Object.fromEntries(Object.entries(bundled.dependencies).filter(([dependency]) => isNeeded(dependency)));
  const { devDependencies } = bundled;
  const overrides = kit === undefined ? {} : usePackageSpecs(kit, dependencies, devDependencies);
  const bin = { [command]: Object.values(bundled.bin)[0] };
  const more = Object.keys(overrides).length > 0 ? { overrides } : {};
  return Buffer.from(`${JSON.stringify({ ...bundled, name, bin, dependencies, devDependencies, ...more }, null, 2)}\n`);
}

/** Sets the specs of the Oarlock packages; returns the overrides for those that the server needs only indirectly. */
function usePackageSpecs(
  kit: string,
  dependencies: Record<string, string>,
  devDependencies: Record<string, string>,
): Record<string, string> {
  const overrides: Record<string, string> = {};
  const specs = packageSpecs(kit, Object.keys({ ...dependencies, ...devDependencies }));
  for (const [name, spec] of Object.entries(specs)) {
    const direct = [dependencies, devDependencies].find((all) => Object.hasOwn(all, name));
    if (direct !== undefined) direct[name] = spec;
    // The packages depend on each other, and npm would look for those in its registry.
    else if (spec.startsWith("file:") && !isCommand(name)) overrides[name] = spec;
  }
  return overrides;
}

/** The overrides for pnpm, which reads them from a file of its own. */
function pnpmSettings({ kit }: Options): string | undefined {
  if (kit === undefined) return undefined;
  const tarballs = Object.entries(packageSpecs(kit, [])).filter(([name, spec]) => spec.startsWith("file:") && !isCommand(name));
  if (tarballs.length === 0) return undefined;
  return `overrides:\n${tarballs.map(([name, spec]) => `  ${JSON.stringify(name)}: ${JSON.stringify(spec)}\n`).join("")}`;
}

/** Whether a package is a command, which no server depends on. */
const isCommand = (name: string): boolean => ["create-server", ...bundledServers()].some((command) => name === `@oarlock/${command}`);
