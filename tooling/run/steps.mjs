/** The first steps of `npm test` and `npm run demo`. Plain JavaScript for the Node of the machine (20 or later); everything else runs on the Node of the project. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The root package.json; its scripts define every step. */
export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const env = {
  CI: "1", // without a terminal pnpm must not prompt
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

/** Without pnpm's warnings: it links commands of the workspace before they are built. */
export const install = () => run("install", `${pnpm} install --frozen-lockfile --loglevel=error`);

export const build = () => run("build", `${pnpm} run build`);
