// Shared files: what several nodes mean for the files that a server changes.
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { platform } from "./platform.ts";
import { quoted, StartError } from "./start/start-error.ts";

/** Types of network file systems on Linux, as `statfs` gives them. Locks and shared memory of SQLite do not work between their hosts. */
const NETWORK_TYPES: Readonly<Record<number, string>> = {
  0x69_69: "NFS",
  0x51_7b: "SMB",
  0xff_53_4d_42: "CIFS",
  0xfe_53_4d_42: "SMB",
  0x01_02_19_97: "9P",
  0x53_46_41_4f: "AFS",
  0x00_c3_64_00: "Ceph",
};

/** The name of a network file system by its type; undefined for any other. */
export const networkFileSystem = (type: number): string | undefined => NETWORK_TYPES[type >>> 0];

/**
 * Refuses SQLite files on a network file system, which nodes on several hosts would corrupt. `remedy`: what else to do.
 * @throws StartError that names the file.
 */
export function refuseNetworkFiles(files: readonly string[], remedy: string): void {
  for (const file of files) {
    const system = fileSystemOf(file);
    if (system !== undefined)
      throw new StartError(
        `The database ${quoted(file)} is on a network file system (${system}), where several nodes would corrupt it. ${remedy}`,
        2,
      );
  }
}

function fileSystemOf(file: string): string | undefined {
  if (platform !== "linux") return undefined;
  try {
    return networkFileSystem(statfsSync(dirname(file)).type);
  } catch {
    return undefined; // opening the file reports the error
  }
}
