// Runs the command oarlock-client as a process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Ended, OnOutput } from "./run-command.ts";

const BIN = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
export const CONDITION = "--conditions=oarlock-source";

/** @param credentials The file of the tokens. */
export async function runCommand(credentials: string, args: readonly string[], onOutput?: OnOutput): Promise<Ended> {
  const env = { ...process.env, OARLOCK_CREDENTIALS: credentials };
  const child = spawn(process.execPath, [CONDITION, BIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
      onOutput?.(texts.stdout + texts.stderr, () => void child.kill("SIGINT"));
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...texts };
}
