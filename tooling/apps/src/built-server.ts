// A built server of this repository, listening on loopback.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startListening, type Listening } from "@oarlock-tooling/interop/http-server";

export async function startBuiltServer(server: string, args: readonly string[], env: Record<string, string> = {}): Promise<Listening> {
  const binary = fileURLToPath(new URL(`../../../servers/${server}/dist/bin.js`, import.meta.url));
  if (!existsSync(binary)) throw new Error(`Missing ${binary}: run pnpm build first`);
  return await startListening({ command: process.execPath, args: [binary, ...args], env });
}
