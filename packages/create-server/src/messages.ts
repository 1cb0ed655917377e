// The messages of the command: its help, and the next steps after writing a server.
import { relative } from "node:path";
import type { Options } from "./options.ts";
import { hasUnsafeCharacters, printable } from "./printable.ts";
import { isWindows } from "./platform.ts";
import { PARTS } from "./template-parts.ts";

interface Choices {
  readonly servers: readonly string[];
  readonly kit: string;
}

export const helpText = ({ servers, kit }: Choices): string => `Usage: create-server NAME [options]
   or: npm create @oarlock/server NAME -- [options]

Writes a Model Context Protocol server into the folder NAME: a small one, or a copy of one of the Oarlock servers.
The scoped package @me/notes is written to the folder notes. A path is the folder, and its last part the name.

  --parts LIST   parts of the small server: ${PARTS.join(",")} (all)
  --from SERVER  copy a server with its tests instead: ${servers.join(", ")}
  --kit SPEC     version of the @oarlock packages, or path of a folder of tarballs (${kit})
  --dir DIR      folder to write, instead of NAME
  -y, --yes      use the defaults without prompts (as if stdin is not a terminal)
  -h, --help     print this text
  -v, --version  print the version of create-server

Exit codes: 0 written, 2 wrong usage, 3 the folder is not empty or cannot be written. Nothing is installed or overwritten.
`;

interface Written {
  readonly files: number;
  readonly cwd: string;
  /** Whether the packages that it needs may be on no registry. */
  readonly needsTarballs: boolean;
}

export function nextSteps({ name, command, folder, from }: Options, { files, cwd, needsTarballs }: Written): string {
  const place = relative(cwd, folder);
  const what = from === undefined ? name : `${name}, a copy of the ${from} server`;
  const bin = from === undefined ? "server" : "bin";
  const duration = from === undefined ? "" : "   # takes a few minutes";
  return `Wrote ${what} (${files} files). Next:

  ${place === "" ? "" : `cd ${quoteForShell(place)}\n  `}npm install
  npm test${duration}
  node dist/${bin}.js --print-config claude-desktop

The last line prints the entry for a host. See README.md for more.${needsTarballs ? NOT_ON_NPM : ""}${canRunTypeScript() ? "" : nodeTooOld(command)}
`;
}

/**
 * A path quoted for a shell: in single quotes if the shell would expand it in double quotes. On Windows double quotes serve cmd.exe and
 * PowerShell, but PowerShell expands `$name` in them.
 */
export function quoteForShell(path: string, forWindows: boolean = isWindows): string {
  if (!/[^\w./@-]/.test(path)) return path;
  if (hasUnsafeCharacters(path)) return `$'${printable(path.replaceAll(/[\\']/g, String.raw`\$&`))}'`;
  if (!(forWindows ? /[$`]/ : /["$`\\!]/).test(path)) return `"${path}"`;
  return `'${path.replaceAll("'", forWindows ? "''" : String.raw`'\''`)}'`;
}

const NOT_ON_NPM = `
Before the first release the Oarlock packages are not on npm, and npm install fails. Until then, run "npx -y pnpm@10.34.9 pack:all tarballs" in the clone
and create the server again with --kit and the path of that folder.`;

const canRunTypeScript = (): boolean => "typescript" in process.features && process.features.typescript !== false;
const nodeTooOld = (command: string): string =>
  `\nNode ${process.versions.node} is too old for ${command}: expected 22.22.2, 24.15.0 or later.`;
