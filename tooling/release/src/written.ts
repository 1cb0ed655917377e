/** The files that follow from about.ts, each with the text that it should have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { registryNameOf, REPOSITORY, SERVERS, type About } from "./about.ts";
import { containerfile } from "./containerfile.ts";
import { hostBlocks } from "./hosts.ts";
import { matrix } from "./matrix.ts";
import { folderOf, manifestOf, root, type Manifest } from "./places.ts";
import { serverJson } from "./server-json.ts";

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const BEGIN = "<!-- what hosts need, written by tooling/release -->";
const END = "<!-- end of what hosts need -->";
const MATRIX_BEGIN = "<!-- what each server shows, written by tooling/release -->";
const MATRIX_END = "<!-- end of what each server shows -->";

/** As `written`, with what only the built servers can tell. */
export async function writtenFromBuilt(): Promise<[file: string, text: string][]> {
  const readme = join(root, "README.md");
  const text = between(readFileSync(readme, "utf8"), await matrix(), MATRIX_BEGIN, MATRIX_END);
  return [[readme, text]];
}

/** Of the repository at `at`. */
export function written(at = root): [file: string, text: string][] {
  const node = manifestOf(at).devDependencies?.node ?? "";
  return SERVERS.flatMap((about): [string, string][] => {
    const folder = folderOf(about, at);
    const manifest = manifestOf(folder);
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    return [
      [join(folder, "package.json"), json(withAbout(manifest, about))],
      [join(folder, "server.json"), json(serverJson(about, manifest.version))],
      [join(folder, "Dockerfile"), containerfile(about, node)],
      [join(folder, "README.md"), between(readme, `${hostBlocks(about)}\n`)],
    ];
  });
}

/** The manifest with what registries read, behind the licence. */
function withAbout({ name, version, description, license, ...rest }: Manifest, about: About): object {
  for (const key of ["keywords", "homepage", "bugs", "repository", "mcpName"]) delete rest[key];
  const directory = `servers/${about.name}`;
  return {
    name,
    version,
    description,
    keywords: ["mcp", "model-context-protocol", "mcp-server", ...about.keywords],
    homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
    bugs: `${REPOSITORY}/issues`,
    license,
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory },
    mcpName: registryNameOf(about),
    ...rest,
  };
}

/** A README says where the blocks belong. */
function between(readme: string, text: string, begin = BEGIN, end = END): string {
  const from = readme.indexOf(begin);
  const to = readme.indexOf(end);
  if (from === -1 || to < from) throw new Error(`A README lacks the lines ${begin} and ${end}`);
  return `${readme.slice(0, from + begin.length)}\n\n${text}\n${readme.slice(to)}`;
}
