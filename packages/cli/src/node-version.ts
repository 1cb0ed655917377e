// The Node that servers run on, checked before anything native is loaded: on an older one that would end in a crash.

/** As `engines` in every package.json says. */
const SUPPORTED = "^22.22.2 || ^24.15.0 || >=26";

/** True for versions within {@link SUPPORTED}. */
export function isSupported(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

/**
 * Ends the process with code 3 and one sentence when this Node cannot run the server. `cli` calls it first; call it
 * yourself only before an import that `cli` would come too late for.
 * @example requireNode("oarlock-sqlite");
 */
export function requireNode(program: string): void {
  const { node } = process.versions;
  if (isSupported(node)) return;
  process.stderr.write(`Error: ${program} does not run on Node ${node}: install a current Node 24 (supported: ${SUPPORTED})\n`);
  process.exit(3);
}
