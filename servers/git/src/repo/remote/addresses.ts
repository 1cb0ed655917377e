// Checks addresses of remotes before git sees them.
import { clip } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";
import { GitError } from "../errors.ts";
import { redactCredentials } from "../safety/credential-redaction.ts";

const MAX_LENGTH = 2000;

/**
 * Throws unless the address uses one of these protocols. A local path, the name of a helper program (`ext::…`) and anything that begins
 * with a dash are refused.
 */
export function checkAddress(address: string, protocols: readonly string[], of: NodeJS.Platform = platform): void {
  const problem = problemOf(address, protocols, of);
  if (problem === undefined) return;
  throw new GitError(
    "denied",
    `Refused: ${clip(redactCredentials(address))} ${problem}. Expected an address of ${protocols.join(", ")}, such as https://example.org/project.git.`,
  );
}

function problemOf(address: string, protocols: readonly string[], of: NodeJS.Platform): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (address === "" || address.length > MAX_LENGTH || /[\u0000-\u0020\u007f]/.test(address)) return "is not a valid address";
  if (address.startsWith("-")) return 'begins with "-"';
  const [, scheme, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/.exec(address) ?? [];
  if (scheme === undefined) return shortAddressProblem(address, protocols, of);
  const protocol = scheme.toLowerCase() === "git+ssh" || scheme.toLowerCase() === "ssh+git" ? "ssh" : scheme.toLowerCase();
  if (!protocols.includes(protocol)) return `uses ${clip(scheme, 20)}, which is not allowed`;
  if (scheme !== scheme.toLowerCase()) return "has a protocol in capital letters";
  const host = rest.split("/")[0] ?? "";
  return host.split("@").some((part) => part.startsWith("-")) || (host === "" && protocol !== "file") ? "has no valid host" : undefined;
}

/** The short form of ssh: `user@host:path`. On Windows git takes `c:path` for a path of a drive. */
function shortAddressProblem(address: string, protocols: readonly string[], of: NodeJS.Platform): string | undefined {
  if (/^[^/]*::/.test(address)) return "names a helper program";
  const [, host] = /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)/.exec(address) ?? [];
  const isDrive = of === "win32" && /^[a-z]:/i.test(address);
  if (host === undefined || isDrive || !protocols.includes("ssh")) return "is a local path";
  return host.startsWith("-") || address.split("@").some((part) => part.startsWith("-")) ? "has no valid host" : undefined;
}
