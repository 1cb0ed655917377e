// The add-ons: parts of this server that are loaded when a switch names them. Only this file imports them, and a copy of the server begins
// without any.
import type { Addons } from "./addon-ports.ts";

type Loaders = { readonly [Name in keyof Addons]?: () => Promise<Addons[Name]> };

const LOADERS: Loaders = {
  embeddings: () => import("./addons/embeddings/index.ts"),
  notes: () => import("./addons/notes/index.ts"),
  postgres: () => import("./addons/postgres/index.ts"),
};

/** The server lacks an add-on that it was asked for. The message names the next step. */
export class MissingAddonError extends Error {
  override readonly name = "MissingAddonError";
}

export const hasAddon = (name: keyof Addons): boolean => LOADERS[name] !== undefined;

/** Throws a MissingAddonError. `use`: the switch or command that needs the add-on. */
export function requireAddon(name: keyof Addons, use: string): void {
  if (hasAddon(name)) return;
  throw new MissingAddonError(
    `${use} needs the add-on ${name}, which this server lacks. Install the package @oarlock/memory, and add its entry ${name} to src/addons.ts.`,
  );
}

/** The same, and loads the add-on. */
export async function loadAddon<Name extends keyof Addons>(name: Name, use: string): Promise<Addons[Name]> {
  requireAddon(name, use);
  const load: (() => Promise<Addons[Name]>) | undefined = LOADERS[name];
  if (load === undefined) throw new Error(`add-on ${name} has no loader`);
  return await load();
}
