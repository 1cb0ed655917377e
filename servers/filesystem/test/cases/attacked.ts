// A server under attack, as the ways in see it: ROOT is served, its sibling OUT holds a secret.
import type { Json } from "@oarlock/server-kit/protocol";
import type { ToolReply, Tree } from "@oarlock/testing";
import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface Attacked extends AsyncDisposable {
  /** The folder that holds ROOT and OUT. */
  readonly base: string;
  readonly root: string;
  readonly out: string;
  /** A text that is stored in OUT and must never leave the server. */
  readonly secret: string;
  /** A path in ROOT. */
  at(...names: string[]): string;
  /** Sends a request; returns the response. */
  request(method: string, params: Json): Promise<Json>;
  /** Calls a tool; returns the response. */
  call(name: string, args: Json): Promise<Json>;
  /** Calls a tool; returns its reply as text. */
  reply(name: string, args: Json): Promise<ToolReply>;
  /** The rules (a) to (f) of the catalogue, with which each case ends. `plain` is false if the case removes ROOT itself. */
  checkRules(options?: { plain?: boolean }): Promise<void>;
}

export interface AttackOptions {
  /** The directories that are served, instead of ROOT. */
  readonly directories?: (base: string) => readonly string[];
  readonly deny?: readonly string[];
  /** Written beside ROOT and OUT. */
  readonly beside?: Tree;
}

export function temporaryNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
    ...(/^\.oarlock|\.tmp$/.test(entry.name) ? [entry.name] : []),
    ...(entry.isDirectory() ? temporaryNames(join(folder, entry.name)) : []),
  ]);
}
