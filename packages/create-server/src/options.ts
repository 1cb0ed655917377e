// The options of a new server: the arguments, validated and completed with defaults.
import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Arguments } from "./arguments.ts";
import { CommandError } from "./command-error.ts";
import { isPart, PARTS, type Part } from "./template-parts.ts";

export interface Options {
  /** The name of the package: `@scope/name` or `name`. */
  readonly name: string;
  /** The name of the command: the name of the package without its scope. */
  readonly command: string;
  /** The absolute path of the new folder. */
  readonly folder: string;
  /** The dependency spec of the kit; undefined for the version that this command was built with. */
  readonly kit: string | undefined;
  /** The server to copy; undefined for a small server with these parts. */
  readonly from: string | undefined;
  readonly parts: readonly Part[];
}

export const DEFAULT_NAME = "my-server";
const MAX_NAME_CHARACTERS = 214;

interface Context {
  /** The servers that can be copied. */
  readonly servers: readonly string[];
  readonly cwd: string;
}

/** Throws a `CommandError` for invalid arguments. */
export function resolveOptions(given: Arguments, { servers, cwd }: Context): Options {
  const typedName = given.name ?? (given.yes === true ? DEFAULT_NAME : undefined);
  if (typedName === undefined) throw new CommandError(2, "Missing name: call create-server NAME, or see create-server --help.");
  if (given.from !== undefined && !servers.includes(given.from))
    throw new CommandError(2, `Invalid value of --from: expected one of ${servers.join(", ")}, received "${given.from}".`);
  if (given.from !== undefined && given.parts !== undefined)
    throw new CommandError(2, "Conflicting switches --from and --parts: a copy has all its parts. Remove one of them.");
  const target = resolveTarget(typedName, given.dir, cwd);
  return {
    ...target,
    command: target.name.replace(/^@.*\//, ""),
    kit: given.kit === undefined ? undefined : resolveKitSpec(given.kit, cwd),
    from: given.from,
    parts: given.parts === undefined ? PARTS : parseParts(given.parts),
  };
}

/** Parses `tool,prompt`. */
export function parseParts(list: string): Part[] {
  const names = list.split(/[\s,]+/).filter((part) => part !== "");
  const unknown = names.find((part) => !isPart(part));
  if (unknown !== undefined)
    throw new CommandError(2, `Invalid value of --parts: expected some of ${PARTS.join(",")}, received "${unknown}".`);
  if (names.length === 0) throw new CommandError(2, `Empty value of --parts: expected at least one of ${PARTS.join(",")}.`);
  return PARTS.filter((part) => names.includes(part));
}

/** A name that npm accepts for a new package. */
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** The package `@me/notes` is written to the folder `notes`. A path is the folder, and its last part the name. */
function resolveTarget(typedName: string, dir: string | undefined, cwd: string): { name: string; folder: string } {
  const isPath = !typedName.startsWith("@") && /[/\\]|^\.+$/.test(typedName);
  if (isPath && dir !== undefined)
    throw new CommandError(2, `Conflicting paths: with --dir, NAME is the name of a package. Received the path "${typedName}".`);
  const folder = resolve(cwd, dir ?? (isPath ? typedName : basename(typedName)));
  const name = isPath ? basename(folder) : typedName;
  if (!NAME.test(name) || name.length > MAX_NAME_CHARACTERS || name === "node_modules")
    throw new CommandError(
      2,
      `Invalid package name "${name}": expected lower-case letters, digits, ".", "-" and "_", with a letter or digit first.`,
    );
  return { name, folder };
}

/** The dependency spec for package.json. A path becomes absolute, as the new folder is another one than the working directory. */
function resolveKitSpec(spec: string, cwd: string): string {
  const path = resolve(cwd, spec.replace(/^file:(?:\/\/)?/, ""));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return `file:${kitIn(path, spec).replaceAll("\\", "/")}`;
  const isPath = /^(?:\.|\/|file:|[a-z]:[/\\])/i.test(spec) || (/\.(?:tgz|tar\.gz)$/.test(spec) && !spec.includes("://"));
  if (!isPath) return spec;
  if (stat === undefined) throw new CommandError(2, `Invalid value of --kit: the file ${spec} does not exist.`);
  return `file:${path.replaceAll("\\", "/")}`;
}

/** The kit's tarball in a folder of tarballs. */
function kitIn(folder: string, spec: string): string {
  const [name, ...others] = readdirSync(folder).filter((one) => /^oarlock-server-kit-.*\.tgz$/.test(one));
  if (name !== undefined && others.length === 0) return join(folder, name);
  const found = name === undefined ? "none" : `${others.length + 1}`;
  throw new CommandError(2, `Invalid value of --kit: expected one oarlock-server-kit-*.tgz in the folder ${spec}, found ${found}.`);
}
