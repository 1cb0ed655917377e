// The stat of an entry.
import { lstatSync, type BigIntStats } from "node:fs";
import { fromSystem } from "../errors.ts";
import type { EntryPlace } from "./sandbox.ts";

/** The stat of what the name leads to now, without following a link; undefined where the name is free. */
export function lookAt({ parent, name, path }: EntryPlace): BigIntStats | undefined {
  try {
    return lstatSync(parent.at(name), { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw fromSystem(error, path);
  }
}
