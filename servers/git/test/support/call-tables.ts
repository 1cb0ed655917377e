// Tests hold tables of calls: which tools of this server a table lacks.
import type { Tool } from "@oarlock/server-kit/protocol";
import { connectTo } from "@oarlock/testing";
import { serverWithToolsets, type Setup } from "./target.ts";

/** The tools of every toolset, with `readOnly` those that `--read-only` offers. */
export async function listTools(setup: Pick<Setup, "readOnly"> = {}): Promise<Tool[]> {
  await using wired = await connectTo(await serverWithToolsets(setup, ["default", "integrate", "remote"]));
  return await wired.client.tools().all();
}

/** The names of the tools that are not in `called`. */
export async function toolsWithoutCall(called: readonly string[], setup?: Pick<Setup, "readOnly">): Promise<string[]> {
  return (await listTools(setup)).map(({ name }) => name).filter((name) => !called.includes(name));
}
