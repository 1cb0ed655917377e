/** Commands of a run, for the Node of the machine (20 or later) and for that of the project. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endTree, hasGroups } from "./platform.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The root package.json; its scripts define every step. */
export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Between the request to end and the end by force. */
const GRACE_MS = 10_000;

const environment = {
  CI: "1", // without a terminal pnpm must not prompt, and vitest must not write snapshots
  ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
  ...process.env,
  PATH: [join(root, "node_modules/node/bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
};

const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => running.forEach((child) => endTree(child, signal)));

/**
 * Runs a shell command line at the root; resolves to its exit code, or to undefined if it was ended. Its output is shown live, or in one piece at its
 * end if it `isHeld`, beside another command.
 */
export function run(title, command, { env = {}, timeoutMs, isHeld = false } = {}) {
  const output = [`\n── ${title}: ${command}\n`];
  const show = () => process.stdout.write(output.splice(0).join(""));
  if (!isHeld) show();
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd: root,
      env: { ...environment, ...env },
      shell: true,
      stdio: isHeld ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      detached: hasGroups,
    });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => output.push(text));
    running.add(child);
    const timers = timeoutMs === undefined ? [] : stopAfter(child, title, timeoutMs);
    const settle = (code) => {
      timers.forEach(clearTimeout);
      running.delete(child);
      resolve(code ?? undefined);
    };
    child.on("error", (error) => {
      console.error(error.message);
      settle(1);
    });
    // Unlike "exit", it comes after the last output.
    child.on("close", (code, signal) => {
      show();
      if (signal !== null) console.log(`\n${title}: ended by ${signal}`);
      settle(code);
    });
  });
}

function stopAfter(child, title, timeoutMs) {
  const stop = () => {
    console.log(`\n${title}: stopped after ${Math.round(timeoutMs / 60_000)} minutes`);
    endTree(child, "SIGTERM");
  };
  return [setTimeout(stop, timeoutMs), setTimeout(() => endTree(child, "SIGKILL"), timeoutMs + GRACE_MS)];
}

const pnpm = `npx -y ${manifest.packageManager.split("+")[0]}`;

/** Without pnpm's warnings: it links commands of the workspace before they are built. */
export const install = () => run("install", `${pnpm} install --frozen-lockfile --loglevel=error`);

/** Runs a script of the root, such as `build`, with its arguments. */
export const runScript = (script) => run(script, `${pnpm} run ${script}`);
