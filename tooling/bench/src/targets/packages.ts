/** What is weighed: packages of this repository, packed as for publishing, and others as npm installs them. */
import { installedFile } from "../peers/groups.ts";
import type { Target } from "./target.ts";

const packed = (name: string, packageName: string): Target => {
  return {
    name: `${name}-package`,
    product: "ours",
    role: "ours",
    kind: "package",
    command: [],
    package: { name: packageName, packed: true },
  };
};

const installed = (name: string, packageName: string, group = name, product = name): Target => {
  const file = installedFile(group, packageName, "package.json");
  return {
    name: `${name}-package`,
    product,
    role: "peer",
    kind: "package",
    command: [],
    installed: { group, file },
    package: { name: packageName },
  };
};

export const PACKAGES: readonly Target[] = [
  packed("kit", "@oarlock/server-kit"),
  ...["filesystem", "git", "sqlite", "memory"].map((name) => packed(name, `@oarlock/${name}`)),
  installed("sdk-v1", "@modelcontextprotocol/sdk", "official", "SDK v1"),
  installed("sdk-v2", "@modelcontextprotocol/server", "official", "SDK v2"),
  installed("fastmcp", "fastmcp"),
  installed("mcp-lite", "mcp-lite"),
  installed("tmcp", "tmcp"),
  installed("mcp-framework", "mcp-framework"),
  installed("server-filesystem", "@modelcontextprotocol/server-filesystem", "official"),
  installed("server-memory", "@modelcontextprotocol/server-memory", "official"),
  installed("server-everything", "@modelcontextprotocol/server-everything", "official"),
  installed("git-mcp-server", "@cyanheads/git-mcp-server"),
  installed("mcp-sqlite", "mcp-sqlite", "sqlite3"),
  installed("dbhub", "@bytebase/dbhub"),
  installed("server-sqlite-npx", "mcp-server-sqlite-npx", "sqlite3"),
];
