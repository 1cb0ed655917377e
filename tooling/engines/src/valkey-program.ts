// The program of Valkey or Redis: installed on this machine, or from Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { debianValkey, type ValkeyProgram } from "./debian-valkey.ts";
import { isWindows } from "./platform.ts";

/** The first version of Redis that the backplane supports. All versions of Valkey are later. */
const OLDEST_MAJOR = 7;

let found: Promise<ValkeyProgram | string> | undefined;

/** The program, or the reason why there is none. */
export function valkeyProgram(): Promise<ValkeyProgram | string> {
  return (found ??= find());
}

async function find(): Promise<ValkeyProgram | string> {
  if (isWindows) return "there is no server for Windows";
  const installed = ["valkey-server", "redis-server"].flatMap((name) => onPath(name) ?? []);
  const command = installed.find((program) => majorVersion(program) >= OLDEST_MAJOR);
  if (command !== undefined) return { command, args: [] };
  return debianValkey();
}

const onPath = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

function majorVersion(program: string): number {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return Number(/\bv=(\d+)\./.exec(stdout ?? "")?.[1] ?? 0);
}
