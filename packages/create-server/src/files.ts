// The files of a new server, with its name, place and kit in them.
import { filesIn, servers, type Files } from "./carried.ts";
import type { Order } from "./order.ts";
import { ourPackages } from "./our-packages.ts";
import { withParts } from "./parts.ts";
import { Refusal } from "./refusal.ts";

/** Names in the carried files that stand for those of the new server. */
const FOLDER = "/absolute/path/to/my-server";
const PACKAGE = "my-package";
const COMMAND = "my-server";

/** Whether a package of ours is a command, which no server depends on. */
const isCommand = (name: string): boolean => ["create-server", ...servers()].some((one) => name === `@oarlock/${one}`);

export function filesOf(order: Order): Files {
  return order.from === undefined ? smallServer(order) : copyOf(order.from, order);
}

function smallServer(order: Order): Files {
  const files = filesIn("template");
  for (const [path, content] of files) {
    if (path !== "package.json") files.set(path, Buffer.from(withNames(withParts(content.toString(), order.parts), order)));
  }
  const imported = [...files.values()].join("\n");
  return files.set(
    "package.json",
    manifest(files, order, (name) => imported.includes(`from "${name}`)),
  );
}

function copyOf(server: string, order: Order): Files {
  const files = filesIn(`from/${server}`);
  const binary = `oarlock-${server}`;
  for (const [path, content] of files) {
    if (path === "README.md") files.set(path, Buffer.from(withNames(String(content), order, binary)));
    else if (/\.(?:ts|json|md)$/.test(path)) files.set(path, Buffer.from(content.toString().replaceAll(binary, () => order.command)));
  }
  files.set(".gitignore", Buffer.from("node_modules\ndist\n")); // npm packs no file of this name
  return files.set(
    "package.json",
    manifest(files, order, () => true),
  );
}

/** In one pass: the new server's names may hold those that they stand for. */
function withNames(text: string, { name, command, folder }: Order, binary: string = COMMAND): string {
  const names: Readonly<Record<string, string>> = {
    [FOLDER]: JSON.stringify(folder.replaceAll("\\", "/")).slice(1, -1), // it stands in the entry for a host only
    [PACKAGE]: name,
    [COMMAND]: command,
    [binary]: command,
  };
  return text.replaceAll(new RegExp(Object.keys(names).join("|"), "g"), (found) => names[found] ?? found);
}

interface Manifest {
  name: string;
  bin: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The package.json that is carried, in the new server's name, with the dependencies that it has. */
function manifest(files: Files, { name, command, kit }: Order, needs: (dependency: string) => boolean): Buffer {
  const carried = JSON.parse(String(files.get("package.json"))) as Manifest; // our own file, tested
  if ([carried.dependencies, carried.devDependencies].some((all) => Object.hasOwn(all, name)))
    throw new Refusal(2, `The server needs the package "${name}", so it cannot have this name: choose another one`);
  const dependencies = Object.fromEntries(Object.entries(carried.dependencies).filter(([dependency]) => needs(dependency)));
  const { devDependencies } = carried;
  const overrides: Record<string, string> = {};
  const ours = kit === undefined ? {} : ourPackages(kit, Object.keys({ ...dependencies, ...devDependencies }));
  for (const [one, spec] of Object.entries(ours)) {
    const place = [dependencies, devDependencies].find((all) => Object.hasOwn(all, one));
    if (place !== undefined) place[one] = spec;
    // Our packages depend on each other; npm would look for those in its registry.
    else if (spec.startsWith("file:") && !isCommand(one)) overrides[one] = spec;
  }
  const bin = { [command]: Object.values(carried.bin)[0] };
  const more = Object.keys(overrides).length > 0 ? { overrides } : {};
  return Buffer.from(`${JSON.stringify({ ...carried, name, bin, dependencies, devDependencies, ...more }, null, 2)}\n`);
}
