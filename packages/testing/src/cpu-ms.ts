/**
 * The milliseconds of CPU that this process has taken so far: what bounds of work are held to, as a busy machine stretches the time on
 * the clock and not this.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
