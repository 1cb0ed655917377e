/** Starts the everything server as a process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { SOURCE } from "./suite.ts";

export interface Started extends AsyncDisposable {
  url: string;
}

/** Starts it on a free port and waits until it listens. Throws, with what it output, when it ends before. */
export async function startEverything(): Promise<Started> {
  const [node, ...flags] = SOURCE;
  const entry = fileURLToPath(new URL("serve.ts", import.meta.url));
  const child = spawn(node, [...flags, entry], { env: { ...process.env, PORT: "0" }, stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  const url = await addressOf(child.stderr);
  child.stderr.resume(); // discards later output, which would fill the pipe
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}

async function addressOf(stderr: Readable): Promise<string> {
  const output: string[] = [];
  for await (const line of createInterface(stderr)) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
    output.push(line);
  }
  throw new Error(`The everything server did not start:\n${output.join("\n")}`);
}
