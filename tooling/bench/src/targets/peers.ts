/** The others: the official SDKs and servers, which this workspace has, and those that `pnpm bench:peers` installs. */
import { fileURLToPath } from "node:url";
import type { Era } from "../http/modes.ts";
import { inCache } from "../cache.ts";
import { installedFile, placedFile } from "../peers/groups.ts";
import type { Kind, Target } from "./target.ts";
import { node, program } from "./command.ts";

type More = Partial<Omit<Target, "name" | "kind">>;

const FIRST: readonly Era[] = ["stateful", "stateless"];
const HANDSHAKE: readonly Era[] = ["stateful"];

const peer = (name: string, kind: Kind, command: readonly string[], more: More): Target => {
  return { name, product: name, role: "peer", kind, command, ...more };
};

/** The two ways of an SDK, over stdio and HTTP. */
const sdk = (version: "v1" | "v2", eras: { stdio: readonly Era[]; http: readonly Era[] }): Target[] =>
  (["high", "low"] as const).flatMap((level) => {
    const name = `sdk-${version}${level === "low" ? "-low" : ""}`;
    const product = `SDK ${version}${level === "low" ? " low-level" : ""}`;
    return [
      peer(name, "echo", node(program(`sdk-${version}.mjs`), level), { product, eras: eras.stdio }),
      peer(`${name}-http`, "http", node(program(`sdk-${version}-http.mjs`), level), {
        product,
        eras: eras.http,
        ...(version === "v2" && { eitherWay: true }),
      }),
    ];
  });

/** One of our programs beside a library that is installed. */
const library = (name: string, transport: "stdio" | "http", eras: readonly Era[]): Target => {
  const command = node(placedFile(name, `${name}.mjs`), transport);
  const installed = { group: name, file: installedFile(name, name, "package.json") };
  const http = transport === "http";
  return peer(http ? `${name}-http` : name, http ? "http" : "echo", command, {
    product: name,
    eras,
    installed,
    ...(http && name !== "fastmcp" && { eitherWay: true }),
  });
};

/** A server as published. */
const published = (name: string, kind: Kind, [group, of, bin]: [string, string, string], args: string[], more: More = {}): Target => {
  const file = installedFile(group, of, bin);
  return peer(name, kind, node(file, ...args), { ...more, installed: { group, file } });
};

const official = (name: string): string =>
  fileURLToPath(new URL("dist/index.js", import.meta.resolve(`@modelcontextprotocol/${name}/package.json`)));

const SQLITE3 = "build/Release/node_sqlite3.node";
const needsSqlite3 = (target: Target): Target => ({
  ...target,
  installed: { group: "sqlite3", file: installedFile("sqlite3", "sqlite3", SQLITE3) },
});

export const PEERS: readonly Target[] = [
  ...sdk("v1", { stdio: HANDSHAKE, http: FIRST }),
  ...sdk("v2", { stdio: ["stateful", "modern"], http: ["stateful", "stateless", "modern"] }),
  library("fastmcp", "stdio", HANDSHAKE),
  library("fastmcp", "http", FIRST),
  library("mcp-lite", "http", FIRST),
  library("tmcp", "stdio", ["stateful", "modern"]),
  library("tmcp", "http", ["stateful", "stateless", "modern"]),
  library("mcp-framework", "stdio", HANDSHAKE),
  library("mcp-framework", "http", HANDSHAKE),
  published("server-everything", "echo", ["official", "@modelcontextprotocol/server-everything", "dist/index.js"], ["stdio"], {
    eras: HANDSHAKE,
    own: true,
  }),
  peer("server-filesystem", "filesystem", node(official("server-filesystem"), "{dir}"), {}),
  // It reads its file name only from the environment.
  peer("server-memory", "memory", node(official("server-memory")), { env: { MEMORY_FILE_PATH: "{dir}/memory.jsonl" } }),
  published("git-mcp-server", "git", ["git-mcp-server", "@cyanheads/git-mcp-server", "dist/index.js"], [], {
    dialect: "git-mcp-server",
    env: { MCP_TRANSPORT_TYPE: "stdio", MCP_LOG_LEVEL: "error", LOGS_DIR: inCache("logs"), GIT_SIGN_COMMITS: "false" },
  }),
  needsSqlite3(
    published("mcp-sqlite", "sqlite", ["sqlite3", "mcp-sqlite", "mcp-sqlite-server.js"], ["{dir}/bench.db"], { dialect: "mcp-sqlite" }),
  ),
  published(
    "dbhub",
    "sqlite",
    ["dbhub", "@bytebase/dbhub", "dist/index.js"],
    ["--transport", "stdio", "--dsn", "sqlite://{dir}/bench.db"],
    {
      dialect: "dbhub",
    },
  ),
  needsSqlite3(published("server-sqlite-npx", "sqlite", ["sqlite3", "mcp-server-sqlite-npx", "dist/index.js"], ["{dir}/bench.db"])),
];
