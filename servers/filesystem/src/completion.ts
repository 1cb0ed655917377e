// Completion of a path that is being typed, for the template and the prompts alike.
import type { Context } from "@oarlock/server-kit";
import { jsonStringBytes } from "@oarlock/domain-kit";
import type { Folders } from "./request-areas.ts";

/** Paths that are looked for, so that the number of all can be told; the kit sends the first hundred. */
const COUNTED = 1000;

export const completePath =
  (folders: Folders, maxBytes: number) =>
  async (typed: string, ctx: Context): Promise<readonly string[]> => {
    const { suggestPaths } = await import("./disk/tree/path-completion.ts");
    const { values } = await suggestPaths(await folders.known(ctx), typed, COUNTED);
    let room = maxBytes - 1000;
    // What is too heavy for one reply is found by typing on.
    const most = values.findIndex((value) => (room -= jsonStringBytes(value) + 1) < 0);
    return most === -1 || most >= 100 ? values : values.slice(0, most);
  };
