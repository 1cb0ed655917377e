// The web host of the official Inspector: a second host, which shares no code with the page of this package.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import type { Browser } from "puppeteer-core";
import { openInspectorPage, type InspectorCall, type InspectorPage } from "./inspector-page.ts";

const TOKEN = "token-of-the-tests";
const START_MS = 60_000;

export interface InspectorHost extends AsyncDisposable {
  /** The origin that servers have to allow. */
  readonly origin: string;
  /** Connects to a server in an era, and opens a tool of it. One page at a time. */
  open(browser: Browser, call: InspectorCall): Promise<InspectorPage>;
}

export async function startInspector(): Promise<InspectorHost> {
  const [port, sandbox] = await Promise.all([freePort(), freePort()]);
  const home = mkdtempSync(join(tmpdir(), "oarlock-inspector-"));
  const launcher = fileURLToPath(
    new URL("clients/launcher/build/index.js", import.meta.resolve("@modelcontextprotocol/inspector/package.json")),
  );
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    HOST: "127.0.0.1",
    CLIENT_PORT: String(port),
    MCP_SANDBOX_PORT: String(sandbox),
    MCP_AUTO_OPEN_ENABLED: "false",
    MCP_INSPECTOR_API_TOKEN: TOKEN,
    MCP_INSPECTOR_SECRET_STORE: "memory",
  };
  const child = spawn(process.execPath, [launcher, "--web"], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  const read = (text: string): void => void (output += text);
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL"); // the launcher starts a process of its own
  };
  process.once("exit", kill);
  const origin = `http://127.0.0.1:${port}`;
  await waitForServer(
    origin,
    () => child.exitCode,
    () => output,
  );
  return {
    origin,
    open: async (browser, call) => await openInspectorPage(browser, { origin, token: TOKEN }, call),
    async [Symbol.asyncDispose]() {
      process.off("exit", kill);
      kill();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function waitForServer(origin: string, exitCode: () => number | null, output: () => string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const isUp = await fetch(origin).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    if (exitCode() !== null || Date.now() > deadline) throw new Error(`The Inspector does not start: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
