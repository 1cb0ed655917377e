// Completion of paths, for the resource template and the prompts.
import { jsonStringBytes, takeWithin } from "@oarlock/domain-kit";
import type { Context } from "@oarlock/server-kit";
import { isWindows } from "./platform.ts";
import type { RequestSandboxes } from "./request-sandbox.ts";

/** Paths that are counted; the kit sends the first hundred of them. */
const MAX_COUNTED = 1000;
/** Punctuation and counts around the values. */
const FRAME_BYTES = 1000;

export const completePath =
  (sandboxes: RequestSandboxes, maxBytes: number) =>
  async (typed: string, ctx: Context): Promise<readonly string[]> => {
    const { suggestPaths } = await import("./disk/tree/path-completion.ts");
    const { values } = await suggestPaths(await sandboxes.known(ctx), typed, MAX_COUNTED);
    const fitting = takeWithin(values, maxBytes - FRAME_BYTES, (value) => jsonStringBytes(value) + 1);
    // Values without room are found by typing on.
    return fitting.length < 100 ? fitting : values;
  };

/**
 * The same for the path in `file:///{+path}`, which has slashes on every platform: the template has the first slash itself, and a drive of
 * Windows needs none.
 */
export const completeUriPath =
  (sandboxes: RequestSandboxes, maxBytes: number, windows = isWindows) =>
  async (typed: string, ctx: Context): Promise<readonly string[]> => {
    const isSlashed = typed.startsWith("/");
    const bare = isSlashed ? typed.slice(1) : typed;
    const values = await completePath(sandboxes, maxBytes)(windows ? bare : `/${bare}`, ctx);
    return values.map((value) => (isSlashed ? "/" : "") + (windows ? value.replaceAll("\\", "/") : value.slice(1)));
  };
