// Runs a server on this process' own streams, and writes its revision and its end: node recorded-server.ts REPORT COMMAND ARGS…
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { constants } from "node:os";

const [report, command, ...args] = process.argv.slice(2);
if (report === undefined || command === undefined) throw new Error("Expected a file and a command.");

let revision: string | undefined;
/** Looks for the revision, which stands in one of the first messages. */
function watch(stream: NodeJS.ReadableStream, pattern: RegExp): void {
  let start = "";
  stream.on("data", (chunk: Buffer) => {
    if (revision !== undefined || start.length > 100_000) return;
    start += chunk.toString("latin1");
    revision = pattern.exec(start)?.[1];
  });
}

const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
// A client that closes early breaks both pipes. How the server ends is the matter here.
for (const stream of [child.stdin, process.stdout]) stream.on("error", () => undefined);
watch(process.stdin, /"io\.modelcontextprotocol\/protocolVersion":"([\d-]+)"/);
watch(child.stdout, /"protocolVersion":"([\d-]+)"/);
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.once("close", (code, signal) => {
  writeFileSync(`${report}.part`, JSON.stringify({ code, signal, revision }));
  renameSync(`${report}.part`, report);
  process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]);
});
