// Node version: checked before anything native is loaded, which would crash an older Node.
import { writeStdout } from "@oarlock/server-kit/node";

/** The same range as `engines` of every package.json. */
const SUPPORTED = "^22.22.2 || ^24.15.0 || >=26";

/** Whether a version is within {@link SUPPORTED}. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

/**
 * Exits with code 3 and one sentence on stderr when this Node cannot run the server. `cli` calls it first; call it yourself before
 * an import that needs a supported Node.
 * @example requireNode("oarlock-sqlite");
 */
export function requireNode(program: string): void {
  const { node } = process.versions;
  if (isSupported(node)) return;
  const message = `${program} does not run on Node ${node}: expected ${SUPPORTED}.`;
  const remedy = "Install a current Node 24.";
  // The first word: switches cannot be read yet.
  if (process.argv.slice(2).find((arg) => !arg.startsWith("-")) === "doctor") reportOldNode(program, message, remedy);
  process.stderr.write(`Error: ${message} ${remedy}\n`);
  process.exit(3);
}

/** The report of `doctor`: nothing else can be checked on this Node. */
function reportOldNode(server: string, message: string, remedy: string): never {
  const summary = `1 of 1 checks of ${server} failed.`;
  const report = { ok: false, checks: [{ name: "node", ok: false, message, remedy }], server, summary, notChecked: [] };
  const text = `FAILED node: ${message}\n       Remedy: ${remedy}\n\n${summary}\n`;
  writeStdout(process.argv.includes("--json") ? `${JSON.stringify(report, undefined, 2)}\n` : text);
  process.exit(1);
}
