// Versions of Node with the package managers that users have, installed from npm into a folder of their own.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSync } from "@oarlock-tooling/test-support/run-program";

/** The oldest and the newest that are supported, and the one between, each with an npm of its time. */
const NODES = [
  { node: "22.22.2", npm: "10.9.9" },
  { node: "24.21.0", npm: "11.21.2" },
  { node: "26.10.0", npm: "12.2.0" },
] as const;

const PNPM = "12.21.0";
const YARN_CLASSIC = "1.22.22";
const YARN = "4.18.1";

export interface Tool {
  /** As in the table: `npm 11.21.2`. */
  readonly title: string;
  readonly node: string;
  /** Folders with its programs, for PATH. */
  readonly programs: readonly string[];
  readonly add: readonly string[];
  readonly run: readonly string[];
  /** Runs a package that was not added; undefined where the tool cannot. */
  readonly runOnce: readonly string[] | undefined;
}

/** Installs everything, which takes about a minute and 500 MB. */
export function installTools(into: string): Tool[] {
  writeFileSync(join(into, "package.json"), JSON.stringify({ private: true }));
  const nodes = NODES.flatMap(({ node, npm }) => [`node-${node}@npm:node@${node}`, `npm-${npm}@npm:npm@${npm}`]);
  const specs = [...nodes, `pnpm@${PNPM}`, `yarn@${YARN_CLASSIC}`, `@yarnpkg/cli-dist@${YARN}`];
  outputSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...specs], { cwd: into });
  return NODES.flatMap((versions) => toolsOf(versions, into));
}

function toolsOf({ node, npm }: (typeof NODES)[number], into: string): Tool[] {
  const modules = join(into, "node_modules");
  const link = (folder: string, programs: Readonly<Record<string, string>>): string => {
    const path = join(into, "programs", node, folder);
    mkdirSync(path, { recursive: true });
    for (const [name, file] of Object.entries(programs)) symlinkSync(join(modules, file), join(path, name));
    return path;
  };
  const own = link("node", { node: `node-${node}/bin/node`, npm: `npm-${npm}/bin/npm-cli.js`, npx: `npm-${npm}/bin/npx-cli.js` });
  const pnpm = link("pnpm", { pnpm: ".bin/pnpm" });
  const classic = link("classic", { yarn: "yarn/bin/yarn.js" });
  const berry = link("berry", { yarn: "@yarnpkg/cli-dist/bin/yarn.js" });
  return [
    {
      title: `npm ${npm}`,
      node,
      programs: [own],
      add: ["npm", "install"],
      run: ["npx", "--no-install"],
      runOnce: ["npx", "-y"],
    },
    { title: `pnpm ${PNPM}`, node, programs: [pnpm, own], add: ["pnpm", "add"], run: ["pnpm", "exec"], runOnce: ["pnpm", "dlx"] },
    // It would build better-sqlite3, which brings what it needs, from source. Without --silent it writes to stdout, where the protocol is.
    {
      title: `yarn ${YARN_CLASSIC} --ignore-scripts`,
      node,
      programs: [classic, own],
      add: ["yarn", "add", "--ignore-scripts"],
      run: ["yarn", "--silent", "run"],
      runOnce: undefined,
    },
    {
      title: `yarn ${YARN} (Plug'n'Play)`,
      node,
      programs: [berry, own],
      add: ["yarn", "add"],
      run: ["yarn", "run"],
      runOnce: ["yarn", "dlx", "-q"],
    },
  ];
}
