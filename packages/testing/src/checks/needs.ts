// needs: options of a test for what not every system has. Where it is missing, the test is skipped, and its report says why.
import { platform as thisPlatform } from "../platform.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test is skipped. Reporters may show it. */
    skipReason?: string;
  }
}

const onPosix = (platform: NodeJS.Platform): boolean => platform !== "win32";
const onLinux = (platform: NodeJS.Platform): boolean => platform === "linux";

const FACILITIES = {
  "named pipes": onPosix,
  "special files": onPosix,
  "shell scripts": onPosix,
  "file modes": onPosix,
  signals: onPosix,
  POSIX: onPosix,
  "/proc": onLinux,
  "names of any bytes": onLinux,
  "names that differ in case": onLinux,
  Linux: onLinux,
} as const;

/** What a test may need; `POSIX` and `Linux` are for what has no name of its own. */
export type Facility = keyof typeof FACILITIES;

export interface NeedsOptions {
  skip?: true;
  meta?: { skipReason: string };
}

/**
 * Options of a test or of a group of tests that need something of the system.
 * @example test("waits for no writer", needs("named pipes"), async () => {});
 */
export function needs(facility: Facility, platform: NodeJS.Platform = thisPlatform): NeedsOptions {
  return FACILITIES[facility](platform) ? {} : { skip: true, meta: { skipReason: `needs ${facility}` } };
}
