// CPU time of this process: a measure of work that other processes on the machine do not change.

/** User and system CPU time that this process has used so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
