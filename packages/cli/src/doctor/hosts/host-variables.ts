// Host variables: `${env:NAME}` and the like in the entries of hosts.
import { homedir } from "node:os";
import type { Environment } from "../../process/environment.ts";

const VARIABLE = /\$\{([^{}$]{1,200})\}/g;

/** The text with its variables; undefined where only the host knows one, such as `${workspaceFolder}`. */
export function expandVariables(text: string, env: Environment): string | undefined {
  let isKnown = true;
  const expanded = text.replaceAll(VARIABLE, (_, variable: string) => {
    const value = valueOf(variable, env);
    isKnown &&= value !== undefined;
    return value ?? "";
  });
  return isKnown ? expanded : undefined;
}

function valueOf(variable: string, env: Environment): string | undefined {
  if (variable === "userHome") return env.HOME ?? homedir();
  if (variable === "pathSeparator" || variable === "/") return process.platform === "win32" ? "\\" : "/";
  if (variable.startsWith("env:")) return env[variable.slice(4)] ?? "";
  const [, name = "", otherwise] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(variable) ?? [];
  return env[name] ?? otherwise;
}
