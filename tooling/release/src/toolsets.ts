/** Compares the toolsets of a built server with those that servers.json declares: the pages would leave the others out. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { commandOf, type About } from "./about.ts";
import { folderOf } from "./repository.ts";

const PLACE = "tooling/release/servers.json";
/** Every server has these. */
const COMMON = ["default", "minimal"];

/** Throws where the built server has other toolsets than are declared. */
export function checkToolsets(about: About): void {
  // A server refuses the name of another toolset with the list of its own.
  const { stderr } = spawnSync(process.execPath, [join(folderOf(about), "dist/bin.js"), "--toolsets", "0"], { encoding: "utf8" });
  const problem = toolsetProblem(about, stderr);
  if (problem !== undefined) throw new Error(problem);
}

/** What is wrong with the declaration. `refusal`: what the server prints about an unknown toolset. */
export function toolsetProblem(about: About, refusal: string): string | undefined {
  const { name, toolsets } = about;
  const [, list] = /: expected one of (.+?)\. Correct it/.exec(refusal) ?? [];
  const command = commandOf(about);
  if (list === undefined) return `${command} does not list its toolsets: ${refusal.trim().slice(0, 300)}`;
  const own = list.split(", ").filter((toolset) => !COMMON.includes(toolset));
  const place = `"toolsets" of ${name} in ${PLACE}`;
  const undeclared = own.filter((toolset) => !toolsets.includes(toolset));
  if (undeclared.length > 0) return `${command} has a toolset that is not declared: ${undeclared.join(", ")}. Add it to ${place}.`;
  const unknown = toolsets.filter((toolset) => !own.includes(toolset));
  if (unknown.length > 0) return `${command} has no toolset ${unknown.join(", ")}. Remove it from ${place}, or build the server.`;
  return own.join() === toolsets.join() ? undefined : `${command} lists its toolsets as ${own.join(", ")}. Write them so in ${place}.`;
}
