// The Inspector's command line client, without access to the network, the user's home and their secrets.
import { fileURLToPath } from "node:url";
import { runProgram } from "@oarlock-tooling/test-support/run-program";

const INSPECTOR = fileURLToPath(
  new URL("clients/launcher/build/index.js", import.meta.resolve("@modelcontextprotocol/inspector/package.json")),
);

export interface Inspected {
  code: number;
  /** The parsed JSON of stdout; undefined for an empty output. */
  output: unknown;
  stderr: string;
}

/** Runs the Inspector until it exits. `home` is the folder for its files. */
export async function inspect(home: string, args: readonly string[]): Promise<Inspected> {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    USERPROFILE: home,
    MCP_INSPECTOR_SECRET_STORE: "memory",
    NODE_OPTIONS: `--import=${new URL("no-network.ts", import.meta.url).href}`,
  };
  const { code, stdout, stderr } = await runProgram(process.execPath, [INSPECTOR, "--cli", ...args], { env });
  return { code, output: stdout === "" ? undefined : JSON.parse(stdout), stderr };
}
