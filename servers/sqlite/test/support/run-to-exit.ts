// One run of the server with empty input, for the outcome of its start.
import { startRaw } from "@oarlock/testing";
import { bin } from "./target.ts";

/** Only a server that hangs takes so long. */
const EXIT_MS = 30_000;

export async function runToExit(args: readonly string[], cwd: string): Promise<{ code: number | null; stderr: string }> {
  await using server = startRaw({ ...bin(args), cwd });
  server.end();
  const { code } = await server.exit(EXIT_MS);
  return { code, stderr: server.stderr };
}
