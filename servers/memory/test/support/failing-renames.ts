// Renames that fail, as those of Windows do while another program has the file open.
import { renameSync } from "node:fs";
import { systemNameCalls, type NameCalls } from "@oarlock/domain-kit";

/** The first renames fail. `meanwhile` is called for each of them. */
export function failingRenames(platform: NodeJS.Platform, times: number, meanwhile: () => void = () => undefined): NameCalls {
  let left = times;
  const rename = (from: string, to: string): void => {
    if (left-- <= 0) return renameSync(from, to);
    meanwhile();
    throw Object.assign(new Error("EPERM"), { code: "EPERM" });
  };
  return { ...systemNameCalls, platform, rename };
}
