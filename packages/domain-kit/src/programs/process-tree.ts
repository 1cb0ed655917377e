// Process tree: ends a program with everything that it started, on Windows, where a signal reaches one process only.
import { spawn, type ChildProcess } from "node:child_process";
import type { ProgramStart } from "./program-start.ts";
import { windowsProgram, type Variables } from "./system.ts";

/**
 * The program of Windows that ends a process and those below it: `/T`, and by force, as a program without a window gets no other request.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/taskkill
 */
export const treeEnd = (pid: number, env: Variables): ProgramStart => ({
  file: windowsProgram("taskkill.exe", env),
  args: ["/PID", String(pid), "/T", "/F"],
  options: { windowsHide: true, windowsVerbatimArguments: false },
});

/** Sends a signal to a program; on Windows it ends by force with everything that it started, such as a server below cmd.exe. */
export function endProgram(
  child: Pick<ChildProcess, "pid" | "kill">,
  signal: NodeJS.Signals,
  platform: NodeJS.Platform,
  endTree: (pid: number) => void = endWindowsTree,
): void {
  if (platform === "win32" && child.pid !== undefined) endTree(child.pid);
  else child.kill(signal);
}

/** Ends the tree on Windows, without waiting. It may have ended already. */
export function endWindowsTree(pid: number, env: Variables = process.env): void {
  const { file, args, options } = treeEnd(pid, env);
  const child = spawn(file, args, { stdio: "ignore", ...options });
  child.on("error", () => {
    try {
      process.kill(pid); // the tree cannot be ended: at least this process
    } catch {
      // It has ended.
    }
  });
  child.unref();
}
