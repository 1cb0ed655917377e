// What the command says: how it is called, and what to do with what it wrote.
import { relative } from "node:path";
import type { Order } from "./order.ts";
import { PARTS } from "./parts.ts";

interface Choices {
  readonly servers: readonly string[];
  readonly kit: string;
}

export const helpText = ({ servers, kit }: Choices): string => `Usage: create-server NAME [options]
   or: npm create @oarlock/server NAME -- [options]

Writes a Model Context Protocol server into the folder NAME: a small one to begin with, or a copy of one of ours.
A name with a scope (@me/notes) is the package's; the folder is called notes. A path names the folder; its last part is the name.

  --parts LIST   what the small server has: ${PARTS.join(",")} (all)
  --from SERVER  a copy with its tests instead: ${servers.join(", ")}
  --kit SPEC     the version of @oarlock's packages, or the path of the kit's tarball (${kit})
  --dir DIR      the folder to write, instead of NAME
  -y, --yes      ask nothing, take the defaults (nothing is asked either where stdin is no terminal)
  -h, --help     this text
  -v, --version  the version of create-server

Exit codes: 0 written, 2 called wrongly, 3 the folder is not empty or cannot be written. Nothing is installed and nothing overwritten.
`;

interface Written {
  readonly files: number;
  readonly cwd: string;
}

export function nextSteps({ name, command, folder, from }: Order, { files, cwd }: Written): string {
  const place = relative(cwd, folder);
  const what = from === undefined ? name : `${name}, a copy of the ${from} server`;
  const bin = from === undefined ? "server" : "bin";
  return `Wrote ${what} (${files} files). Next:

  ${place === "" ? "" : `cd ${inShell(place)}\n  `}npm install
  npm test
  node dist/${bin}.js --print-config claude-desktop

The last line prints the entry for a host; README.md says more.${canStrip() ? "" : oldNode(command)}
`;
}

/** A path as it is typed at a prompt; what double quotes leave to the shell stands in single ones. */
function inShell(path: string): string {
  if (!/[^\w./@-]/.test(path)) return path;
  return process.platform === "win32" || !/["$`\\!]/.test(path) ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

const canStrip = (): boolean => "typescript" in process.features && process.features.typescript !== false;
const oldNode = (command: string): string =>
  `\nThis Node (${process.versions.node}) is too old for ${command}: it needs 22.22.2, 24.15.0 or later.`;
