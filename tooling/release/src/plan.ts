/** What is run for a server once it is on npm. */
import { fileURLToPath } from "node:url";
import { commandOf, packageOf, type About } from "./about.ts";

export interface Published {
  readonly name: string;
  readonly version: string;
}

/** No runner has the registry's own command; Go, which they all have, builds it and holds it against its checksum database. */
const PUBLISHER = ["go", "run", "github.com/modelcontextprotocol/registry/cmd/publisher@v1.8.0"];

/** Commands, each as its words; they run in the server's folder. */
export function planOf(about: About, version: string, work: string): string[][] {
  const bundle = fileURLToPath(new URL("bundle.ts", import.meta.url));
  const file = `${work}/${commandOf(about)}-${version}.mcpb`;
  return [
    ["node", bundle, about.name, version, work],
    ["gh", "release", "upload", `${packageOf(about)}@${version}`, file],
    [...PUBLISHER, "login", "github-oidc"],
    [...PUBLISHER, "publish"],
  ];
}
