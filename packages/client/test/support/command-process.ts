// Runs the command oarlock-client as a process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Ended, OnOutput } from "./run-command.ts";

const isBuilt = process.env["OARLOCK_BUILT"] === "1";
export const BIN = fileURLToPath(isBuilt ? new URL("../../dist/bin.js", import.meta.url) : new URL("../../src/bin.ts", import.meta.url));

/** The words that run a file: on the sources of our packages, or with OARLOCK_BUILT=1 on the builds, which start in half of the time. */
export const running = (file: string): [command: string, ...args: string[]] => [
  process.execPath,
  ...(isBuilt ? [] : ["--conditions=oarlock-source"]),
  file,
];

/** @param credentials The file of the tokens. */
export async function runCommand(credentials: string, args: readonly string[], onOutput?: OnOutput): Promise<Ended> {
  const env = { ...process.env, OARLOCK_CREDENTIALS: credentials };
  const [command, ...words] = running(BIN);
  const child = spawn(command, [...words, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
      onOutput?.(texts.stdout + texts.stderr, () => void child.kill("SIGINT"));
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...texts };
}
