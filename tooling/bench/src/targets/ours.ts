/** The kit's echo server in both transports, and the servers as built. */
import type { Target } from "./target.ts";
import { inRepository, node } from "./command.ts";

const ours = (name: string, kind: Target["kind"], file: string, ...args: string[]): Target => {
  const built = inRepository(file);
  return { name, product: "ours", role: "ours", kind, command: node(built, ...args), built };
};

const server = (kind: "filesystem" | "git" | "sqlite" | "memory", ...args: string[]): Target =>
  ours(`ours-${kind}`, kind, `servers/${kind}/dist/bin.js`, ...args);

export const OURS: readonly Target[] = [
  ours("ours", "echo", "tooling/bench/dist/echo-stdio.js"),
  // The revisions with a handshake have a session over HTTP; who wants none speaks the modern one.
  { ...ours("ours-http", "http", "tooling/bench/dist/echo-http.js"), eras: ["stateful", "modern"] },
  server("filesystem", "{dir}"),
  { ...server("filesystem", "--lean", "{dir}"), name: "ours-filesystem-lean", product: "ours, --lean" },
  server("git", "--repository", "{dir}"),
  server("sqlite", "--read-write", "{dir}/bench.db"),
  server("memory", "--db", "{dir}/memory.jsonl"),
];
