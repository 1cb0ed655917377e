// Runs the command oarlock-client as a process.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
export const CONDITION = "--conditions=oarlock-source";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Gets all that was printed so far, on either stream. */
export type OnOutput = (text: string, child: ChildProcess) => void;

/** @param credentials The file of the tokens. */
export async function runCommand(credentials: string, args: readonly string[], onOutput?: OnOutput): Promise<Ended> {
  const env = { ...process.env, OARLOCK_CREDENTIALS: credentials };
  const child = spawn(process.execPath, [CONDITION, BIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
      onOutput?.(texts.stdout + texts.stderr, child);
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...texts };
}
