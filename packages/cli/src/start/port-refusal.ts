// Port refusal: why the system refuses a free port (EACCES), and what to do.

export function portRefusal(port: number, portSwitch: string, platform: NodeJS.Platform): { problem: string; remedy: string } {
  // Windows has no ports for administrators, but ranges that Hyper-V and others reserve, and sockets that cannot be shared.
  // https://learn.microsoft.com/windows/win32/winsock/using-so-reuseaddr-and-so-exclusiveaddruse
  if (platform === "win32")
    return {
      problem: `Port ${port} is reserved by Windows, or another program holds it for itself.`,
      remedy: `Choose another port with ${portSwitch}. The reserved ones: netsh interface ipv4 show excludedportrange protocol=tcp`,
    };
  return { problem: `Port ${port} is not allowed for this user.`, remedy: `Choose a port above 1023 with ${portSwitch}.` };
}
