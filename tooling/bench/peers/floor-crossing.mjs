// What it costs alone to do the work in another process: hands each line to the program that it is given, and the answer back.
import { spawn } from "node:child_process";

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.on("data", (chunk) => child.stdin.write(chunk)).on("end", () => child.stdin.end());
child.stdout.on("data", (chunk) => process.stdout.write(chunk));
