/** Loaded modules: starts a program with the probe and reports what it loaded up to the response to `initialize`. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Readable } from "node:stream";
import type { StartBudget } from "./starts.ts";

export interface Loaded {
  builtins: string[];
  files: string[];
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "budgets", version: "0" } },
});

/** What any program loads. */
export const nothing = (): Promise<Loaded> => loads([here("empty.mjs")]);

export const loadsOf = ({ http }: Pick<StartBudget, "http">, path: string, args: readonly string[]): Promise<Loaded> =>
  loads([path, ...args], http ? "http" : "stdio");

async function loads(program: readonly string[], transport?: "stdio" | "http"): Promise<Loaded> {
  const child = spawn(process.execPath, [`--require=${here("probe.cjs")}`, ...program], { stdio: ["pipe", "pipe", "pipe", "pipe"] });
  try {
    let stderr = "";
    const reports = createInterface({ input: child.stdio[3] as Readable })[Symbol.asyncIterator]();
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const [, url] = /listening on (\S+)/.exec(stderr) ?? [];
      if (url === undefined || transport !== "http") return;
      transport = undefined;
      void initialize(url).then(
        () => child.kill("SIGUSR2"),
        (error: unknown) => {
          stderr += String(error);
          child.kill("SIGKILL");
        },
      );
    });
    if (transport === "stdio") child.stdin.write(`${INITIALIZE}\n`);
    const { value } = (await reports.next()) as { value: string | undefined };
    if (value === undefined) throw new Error(`${program.join(" ")} ended before it had answered: ${stderr}`);
    return JSON.parse(value) as Loaded; // the probe's
  } finally {
    child.kill("SIGKILL");
  }
}

async function initialize(url: string): Promise<void> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await fetch(url, { method: "POST", headers, body: INITIALIZE });
  if (!(await answer.text()).includes("serverInfo")) throw new Error(`initialize was answered with ${answer.status}`);
}
