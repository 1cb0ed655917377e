// How commands reach remotes: the allowed protocols, and the part of the machine's and the user's configuration that counts there.
import { platform, userVariables, variableOf, variablesOf, type HostEnvironment } from "../../platform.ts";
import { reaches } from "../configuration/user-settings.ts";
import { lastValue, type ConfigEntry } from "../process/config-list.ts";
import { noProtocol, type Setting } from "../process/environment.ts";
import type { Repository } from "../repository.ts";
import { refusedSettings } from "../safety/repository-state.ts";

export interface NetworkPolicy {
  /** Protocols by git's names, such as "https" and "ssh". */
  readonly protocols: readonly string[];
  readonly env: HostEnvironment;
}

export interface NetworkEnvironment {
  readonly settings: Setting[];
  readonly env: Record<string, string>;
}

/** A day: the time limit of the request ends a transfer earlier. */
export const TRANSFER_TIMEOUT_MS = 24 * 3600 * 1000;

const PASSED_VARIABLES = [
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

/** Settings and variables of a command that talks to a remote of a repository. */
export function networkEnvironment(repository: Repository, policy: NetworkPolicy): NetworkEnvironment {
  const { networkSettings, isTrusted } = repository.state;
  if (networkSettings.length > 0 && !isTrusted)
    throw refusedSettings(repository.name, "choose how the network is used", networkSettings, " move them to your own configuration,");
  return networkEnvironmentFrom(repository.user.entries, policy);
}

/** The same for a repository that does not exist yet. */
export function networkEnvironmentFrom(
  userSettings: readonly ConfigEntry[],
  { protocols, env: host }: NetworkPolicy,
  of: NodeJS.Platform = platform,
): NetworkEnvironment {
  const machine = { platform: of, env: host };
  const used = userSettings.filter(({ key }) => reaches("network", key));
  const sshCommand = lastValue(used, "core.sshcommand") ?? "ssh -oBatchMode=yes -oPermitLocalCommand=no";
  return {
    settings: [
      ...protocols.map((name): Setting => [`protocol.${name}.allow`, "always"]),
      ...used.map(({ key, value }): Setting => [key, value ?? "true"]),
    ],
    env: {
      ...userVariables(machine),
      PATH: variableOf(machine, "PATH") ?? "",
      GIT_ALLOW_PROTOCOL: protocols.length === 0 ? noProtocol() : protocols.join(":"),
      ...variablesOf(machine, PASSED_VARIABLES),
      // The variable overrides the setting. Without one of the user's own, ssh cannot ask for a password or whether to trust a host.
      GIT_SSH_COMMAND: sshCommand,
    },
  };
}
