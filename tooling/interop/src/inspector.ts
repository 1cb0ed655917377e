// The Inspector's command line client, without access to the network, the user's home and their secrets.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const INSPECTOR = new URL("clients/launcher/build/index.js", import.meta.resolve("@modelcontextprotocol/inspector/package.json"));

export interface Inspected {
  code: number | null;
  /** The parsed JSON of stdout; undefined for an empty output. */
  output: unknown;
  stderr: string;
}

/** Runs the Inspector until it exits. `home` is the folder for its files. */
export async function inspect(home: string, args: readonly string[]): Promise<Inspected> {
  const child = spawn(process.execPath, [fileURLToPath(INSPECTOR), "--cli", ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      USERPROFILE: home,
      MCP_INSPECTOR_SECRET_STORE: "memory",
      NODE_OPTIONS: `--import=${new URL("no-network.ts", import.meta.url).href}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { code, output: stdout === "" ? undefined : JSON.parse(stdout), stderr };
}
