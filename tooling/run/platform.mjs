/** What this machine is, and how a command ends there with all that it has started. Only this module reads `process.platform`. */
import { spawnSync } from "node:child_process";

/** Such as `linux-x64`. */
export const machine = `${process.platform}-${process.arch}`;

const isWindows = process.platform === "win32";

/** Whether a command gets a process group of its own, which can be ended as a whole. */
export const hasGroups = !isWindows;

/** Between a command and its processes stand shells, which pass no signal on. */
export function endTree({ pid, exitCode }, signal) {
  if (pid === undefined || exitCode !== null) return;
  // Windows has neither groups nor signals. /T: with all children; /F: console programs end in no other way.
  if (isWindows) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
  else process.kill(-pid, signal);
}
