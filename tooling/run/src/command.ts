/** Commands of a run, with their output shown live. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Manifest {
  readonly packageManager: string;
  readonly scripts: Readonly<Record<string, string>>;
}

export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest; // our own file

/** The pinned pnpm, which machines do not have: npx brings it. */
const PNPM = `npx -y ${manifest.packageManager}`;

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Default: none. */
  readonly timeoutMs?: number;
}

/** Runs a shell command at the root; true if it ended well. */
export function runCommand(title: string, command: string, { env, timeoutMs }: CommandOptions = {}): boolean {
  console.log(`\n── ${title}: ${command}`);
  // With `exec`, a timeout ends the command itself instead of its shell.
  const { status, error } = spawnSync(`exec ${command}`, {
    cwd: root,
    shell: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    ...(timeoutMs !== undefined && { timeout: Math.max(1, Math.round(timeoutMs)) }),
  });
  if (error !== undefined) console.error(error.message);
  return status === 0;
}

/** Runs a script of the root, such as `build`. */
export const runScript = (script: string): boolean => runCommand(script, `${PNPM} run ${script}`);
