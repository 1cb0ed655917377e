/** What `npm test` and `npm run demo` share. Plain JavaScript for the machine's own Node (20 or later); all else runs on the project's. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The root package.json; its scripts are the one place that says how a step is done. */
export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const env = {
  CI: "1", // nobody answers questions: pnpm asks none, vitest writes no new snapshots
  ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
  ...process.env,
  PATH: [join(root, "node_modules/node/bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
};

/** Runs a shell command line at the root, its output shown live; true if it ended well. */
export function run(title, command) {
  console.log(`\n── ${title}: ${command}`);
  return new Promise((resolve) => {
    const child = spawn(command, { cwd: root, env, shell: true, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}

const pnpm = `npx -y ${manifest.packageManager.split("+")[0]}`;

export const install = () => run("install", `${pnpm} install --frozen-lockfile`);

export const build = () => run("build", `${pnpm} run build`);
