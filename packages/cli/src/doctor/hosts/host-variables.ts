// Host variables: `${env:NAME}` and the like in the entries of hosts.
import { variableOf } from "@oarlock/domain-kit";
import type { Environment } from "../../process/environment.ts";
import { homeOf } from "./user-folders.ts";

const VARIABLE = /\$\{([^{}$]{1,200})\}/g;

/** The text with its variables; undefined where only the host knows one, such as `${workspaceFolder}`. */
export function expandVariables(text: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  let isKnown = true;
  const expanded = text.replaceAll(VARIABLE, (_, variable: string) => {
    const value = valueOf(variable, env, platform);
    isKnown &&= value !== undefined;
    return value ?? "";
  });
  return isKnown ? expanded : undefined;
}

function valueOf(variable: string, env: Environment, platform: NodeJS.Platform): string | undefined {
  if (variable === "userHome") return homeOf(env, platform);
  if (variable === "pathSeparator" || variable === "/") return platform === "win32" ? "\\" : "/";
  if (variable.startsWith("env:")) return variableOf(variable.slice(4), { platform, env }) ?? "";
  const [, name = "", otherwise] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(variable) ?? [];
  return variableOf(name, { platform, env }) ?? otherwise;
}
