/** How a command is ended with everything that it has started: between them stand shells, which pass no signal on. */
import { spawnSync } from "node:child_process";

const isWindows = process.platform === "win32";

/** Whether a command gets a process group of its own, which can be ended as a whole. */
export const hasGroups = !isWindows;

export function endTree({ pid, exitCode }, signal) {
  if (pid === undefined || exitCode !== null) return;
  // Windows has neither groups nor signals. /T: with all children; /F: console programs end in no other way.
  if (isWindows) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
  else process.kill(-pid, signal);
}
