/** Opens the backplane at an address, for programs that do not use the command line of our servers. */
import type { Backplane } from "@oarlock/cluster/backplane";

type Open = (url: string, options: { prefix: string }) => Promise<Backplane>;

export async function openBackplane(url: string, prefix: string): Promise<Backplane> {
  const [packageName, functionName] = url.startsWith("postgres")
    ? ["@oarlock/backplane-postgres", "postgresBackplane"]
    : ["@oarlock/backplane-valkey", "valkeyBackplane"];
  const { [functionName]: open } = (await import(packageName)) as Record<string, Open | undefined>; // as the packages declare it
  if (open === undefined) throw new TypeError(`${packageName} has no ${functionName}.`);
  return await open(url, { prefix });
}
