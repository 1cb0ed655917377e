// What to write and where: the arguments, completed by defaults and checked.
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Arguments } from "./arguments.ts";
import { isPart, PARTS, type Part } from "./parts.ts";
import { Refusal } from "./refusal.ts";

export interface Order {
  /** The package's name, `@scope/name` or `name`. */
  readonly name: string;
  /** The command's name: the package's without its scope. */
  readonly command: string;
  /** Absolute. */
  readonly folder: string;
  /** The dependency spec of the kit; undefined: the version that this command was built with. */
  readonly kit: string | undefined;
  /** The server to copy; undefined: a small one of these parts. */
  readonly from: string | undefined;
  readonly parts: readonly Part[];
}

export const DEFAULT_NAME = "my-server";

interface Around {
  /** The servers that can be copied. */
  readonly servers: readonly string[];
  readonly cwd: string;
}

/** Throws a refusal when the arguments cannot be meant. */
export function orderOf(given: Arguments, { servers, cwd }: Around): Order {
  const typed = given.name ?? (given.yes === true ? DEFAULT_NAME : undefined);
  if (typed === undefined) throw new Refusal(2, "Name the server: create-server NAME, or see create-server --help");
  if (given.from !== undefined && !servers.includes(given.from))
    throw new Refusal(2, `--from expects one of ${servers.join(", ")}; got "${given.from}"`);
  if (given.from !== undefined && given.parts !== undefined) throw new Refusal(2, "A copy has all its parts: leave out --parts or --from");
  const place = placeOf(typed, given.dir, cwd);
  return {
    ...place,
    command: place.name.replace(/^@.*\//, ""),
    kit: given.kit === undefined ? undefined : kitSpec(given.kit, cwd),
    from: given.from,
    parts: given.parts === undefined ? PARTS : partsOf(given.parts),
  };
}

/** `tool,prompt` → these parts. */
export function partsOf(list: string): Part[] {
  const named = list.split(/[\s,]+/).filter((part) => part !== "");
  const wrong = named.find((part) => !isPart(part));
  if (wrong !== undefined) throw new Refusal(2, `--parts expects some of ${PARTS.join(",")}; got "${wrong}"`);
  if (named.length === 0) throw new Refusal(2, `--parts expects at least one of ${PARTS.join(",")}`);
  return PARTS.filter((part) => named.includes(part));
}

/** A name as npm takes it for a new package. */
const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** The package `@me/notes` goes into `notes`; a path is a folder whose last name is the package's. */
function placeOf(typed: string, dir: string | undefined, cwd: string): { name: string; folder: string } {
  const isPath = !typed.startsWith("@") && /[/\\]|^\.+$/.test(typed);
  if (isPath && dir !== undefined) throw new Refusal(2, `With --dir, NAME is the name of a package; got the path "${typed}"`);
  const folder = resolve(cwd, dir ?? (isPath ? typed : basename(typed)));
  const name = isPath ? basename(folder) : typed;
  if (!NAME.test(name) || name.length > 214 || name === "node_modules")
    throw new Refusal(
      2,
      `"${name}" is no name for a package: use small letters, digits, ".", "-" and "_", and begin with a letter or digit`,
    );
  return { name, folder };
}

/** What stands in package.json: a path becomes absolute, as the new folder is another place than this one. */
function kitSpec(typed: string, cwd: string): string {
  const isPath = /^(?:\.|\/|file:|[a-z]:[/\\])/i.test(typed) || (/\.(?:tgz|tar\.gz)$/.test(typed) && !typed.includes("://"));
  if (!isPath) return typed;
  const path = resolve(cwd, typed.replace(/^file:(?:\/\/)?/, ""));
  if (!existsSync(path)) throw new Refusal(2, `--kit names a file that is not there: ${typed}`);
  return `file:${path.replaceAll("\\", "/")}`;
}
