// The runtimes beside Node, which `pnpm interop:runtimes` installs, each with the server of runtimes/worker.ts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ServerProcess, type Program } from "@oarlock-tooling/test-support/server-process";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { waitUntil, type TempFolder } from "@oarlock/testing";
import { rolldown } from "rolldown";

const INSTALLED = fileURLToPath(new URL("../../runtimes/node_modules/", import.meta.url));
const SOURCES = fileURLToPath(new URL("../../runtimes/", import.meta.url));

export const RUNTIMES = ["bun", "deno", "workerd"] as const;
export type Runtime = (typeof RUNTIMES)[number];

/** Where the packages of the platform, by the one that pnpm links, have the programs: no script of theirs ran. */
const PROGRAMS: Readonly<Record<Runtime, string>> = {
  bun: ".pnpm/node_modules/@oven/bun-linux-x64/bin/bun",
  deno: ".pnpm/node_modules/@deno/linux-x64-glibc/deno",
  workerd: ".pnpm/node_modules/@cloudflare/workerd-linux-64/bin/workerd",
};

export const isInstalled = (runtime: Runtime): boolean => existsSync(INSTALLED + PROGRAMS[runtime]);

/** One module without imports. */
export async function bundleWorker(folder: TempFolder): Promise<void> {
  const build = await rolldown({
    input: `${SOURCES}worker.ts`,
    platform: "neutral",
    resolve: { conditionNames: ["oarlock-source", "import", "default"] },
  });
  await build.write({ file: folder.at("worker.js"), format: "esm" });
  await build.close();
  writeFileSync(folder.at("workerd.capnp"), readFileSync(`${SOURCES}workerd.capnp`));
}

/** Resolves when it answers. */
export async function startRuntime(runtime: Runtime, folder: TempFolder): Promise<ServerProcess & { readonly url: URL }> {
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const server = new ServerProcess(programOf(runtime, folder, port));
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await waitUntil(answers, (isThere) => isThere || !server.isRunning);
  if (!server.isRunning) throw new Error(`${runtime} did not start: ${server.stderr}`);
  return Object.assign(server, { url });
}

function programOf(runtime: Runtime, folder: TempFolder, port: number): Program {
  const command = INSTALLED + PROGRAMS[runtime];
  const worker = folder.at("worker.js");
  if (runtime === "bun") return { command, args: ["run", worker], env: { PORT: String(port), BUN_PORT: String(port) } };
  if (runtime === "deno") return { command, args: ["serve", "--no-config", "--host", "127.0.0.1", "--port", String(port), worker] };
  return { command, args: ["serve", folder.at("workerd.capnp"), "--socket-addr", `http=127.0.0.1:${port}`] };
}
