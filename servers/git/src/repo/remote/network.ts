// The one way out: which protocols may be used, what of the user's own configuration counts there, and addresses that may be asked.
import type { ConfigEntry } from "../safety/repository-config.ts";
import type { Setting } from "../process/environment.ts";
import { GitError, clip } from "../errors.ts";
import { withoutPasswords } from "../safety/credential-redaction.ts";
import type { Repository } from "../repository.ts";
import { homeOf, userConfig, type HostEnvironment } from "../process/user-config.ts";

export interface Network {
  /** Names as git has them: https, ssh. */
  readonly protocols: readonly string[];
  readonly env: HostEnvironment;
}

/** Longer than a request may take: its own limit ends it. */
export const TRANSFER_MS = 24 * 3600 * 1000;

/** Of the user's own settings, those that say how to reach and sign in to a server. */
const OWN = /^(?:credential|http|url|ssh)\.|^core\.(?:sshcommand|gitproxy)$/;

const PASSED = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "https_proxy",
  "http_proxy",
  "no_proxy",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "all_proxy",
  "ALL_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
];

/** Settings and variables for a command that talks to another machine. */
export async function connected(repository: Repository, network: Network): Promise<{ settings: Setting[]; env: Record<string, string> }> {
  const { facts } = repository;
  if (facts.network.length > 0 && !facts.trusted)
    throw new GitError(
      "unsafe",
      `Refused: the configuration of the repository chooses how the network is used: ${facts.network
        .slice(0, 5)
        .map((key) => clip(withoutPasswords(key), 60))
        .join(", ")}. Remove it, move it to your own configuration, or start the server with --trust and the path.`,
    );
  return reaching(network, await userConfig(repository, network.env));
}

/** The same where there is no repository yet, with the user's own settings as they are there. */
export function reaching(network: Network, own: readonly ConfigEntry[]): { settings: Setting[]; env: Record<string, string> } {
  const user = own.filter(({ key }) => OWN.test(key));
  return {
    settings: [...protocolSettings(network), ...user.map(({ key, value }): Setting => [key, value ?? "true"])],
    env: outward(
      network,
      user.some(({ key }) => key === "core.sshcommand"),
    ),
  };
}

const protocolSettings = ({ protocols }: Network): Setting[] => protocols.map((name) => [`protocol.${name}.allow`, "always"]);

function outward({ protocols, env: host }: Network, ownSsh = false): Record<string, string> {
  const env: Record<string, string> = { ...homeOf(host), PATH: host["PATH"] ?? "", GIT_ALLOW_PROTOCOL: protocols.join(":") };
  for (const name of PASSED) {
    const value = host[name];
    if (value !== undefined) env[name] = value;
  }
  // A variable would beat the user's own setting. Nobody can be asked for a password or whether to trust a host.
  env["GIT_SSH_COMMAND"] = ownSsh ? "" : "ssh -oBatchMode=yes -oPermitLocalCommand=no";
  if (ownSsh) delete env["GIT_SSH_COMMAND"];
  return env;
}

/** Refuses what is no address of an allowed protocol: no local path, no helper program, nothing that begins with a dash. */
export function checkAddress(address: string, { protocols }: Network): void {
  const refuse = (why: string): GitError =>
    new GitError(
      "denied",
      `Refused: ${clip(withoutPasswords(address))} ${why}. Expected an address of ${protocols.join(", ")}, such as https://example.org/project.git.`,
    );
  // eslint-disable-next-line no-control-regex
  if (address === "" || address.length > 2000 || /[\u0000-\u0020\u007f]/.test(address)) throw refuse("is no address");
  if (address.startsWith("-")) throw refuse('begins with "-"');
  const [, scheme, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/.exec(address) ?? [];
  if (scheme === undefined) {
    if (/^[^/]*::/.test(address)) throw refuse("names a helper program");
    // As ssh has it: user@host:path.
    const [, host] = /^(?:[^@/:]+@)?([^@/:]+):(?!\/\/)/.exec(address) ?? [];
    if (host === undefined || !protocols.includes("ssh")) throw refuse("is a local path");
    if (host.startsWith("-") || address.split("@").some((part) => part.startsWith("-"))) throw refuse("names no host");
    return;
  }
  const name = scheme.toLowerCase() === "git+ssh" || scheme.toLowerCase() === "ssh+git" ? "ssh" : scheme.toLowerCase();
  if (!protocols.includes(name)) throw refuse(`uses ${clip(scheme, 20)}, which is not allowed`);
  if (scheme !== scheme.toLowerCase()) throw refuse("has a scheme in other letters");
  const host = rest.split("/")[0] ?? "";
  if (host.split("@").some((part) => part.startsWith("-")) || (host === "" && name !== "file")) throw refuse("names no host");
}

/** Progress of git, as it writes it for people: "Receiving objects:  45% (9/20)". */
export function progressReader(tell: (done: number, message: string) => void): (chunk: Buffer) => void {
  let rest = "";
  // Each stage begins anew at nothing; what is told only rises.
  let base = 0;
  let last = "";
  let highest = -1;
  return (chunk) => {
    const lines = (rest + chunk.toString()).split(/[\r\n]/);
    rest = (lines.pop() ?? "").slice(-1000);
    for (const line of lines) {
      const [, stage, percent] = /^(?:remote: )?([A-Z][A-Za-z ]+):\s+(\d+)%/.exec(line) ?? [];
      if (stage === undefined) continue;
      if (stage !== last && last !== "") base += 100;
      last = stage;
      const done = base + Number(percent);
      if (done <= highest) continue;
      highest = done;
      tell(done, `${stage}: ${percent}%`);
    }
  };
}
