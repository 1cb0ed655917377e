// Slots for processes of git: one user with many long commands must not take all cores, nor one with many transfers, which wait for the
// network.
import { FairSlots } from "@oarlock/domain-kit";

const slots = new FairSlots();
const transferSlots = new FairSlots();
const TRANSFERS: ReadonlySet<string> = new Set(["clone", "fetch", "ls-remote", "pull", "push"]);

/** A command as far as its slot goes. */
interface Command {
  readonly args: readonly (string | Buffer)[];
  readonly signal?: AbortSignal | undefined;
}

/** Runs what starts a process once there is a slot for it. No other process of git may be awaited within. */
export async function inSlot<T>(command: Command, work: () => Promise<T>): Promise<T> {
  command.signal?.throwIfAborted();
  return (TRANSFERS.has(subcommandOf(command)) ? transferSlots : slots).run(work, command.signal);
}

/** The first argument behind the settings (`-c name=value`) and switches of git itself. */
export function subcommandOf({ args }: Pick<Command, "args">): string {
  const at = args.findIndex((arg, index) => !arg.toString().startsWith("-") && args[index - 1] !== "-c");
  return args[at]?.toString() ?? "";
}
