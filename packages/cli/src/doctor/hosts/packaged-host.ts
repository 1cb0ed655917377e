// Packaged host: entries that a host does not see, as it reads another file where it was installed as a package of Windows.
import { quoted } from "../../start/start-error.ts";
import type { HostEntry } from "./host-entries.ts";
import type { HostFile } from "./host-files.ts";

interface FoundEntry {
  readonly file: HostFile;
  readonly entry: Pick<HostEntry, "name">;
}

/** The entries of one server that only the file of the other installation has. */
export function unreadEntries(own: readonly FoundEntry[]): { readonly file: HostFile; readonly message: string }[] {
  return own.flatMap(({ file, entry }) => {
    const { host, path, readInstead } = file;
    const isThere = own.some((other) => other.file.host === host && other.file.path !== path);
    if (readInstead === undefined || isThere) return [];
    const message = `Entry ${quoted(entry.name)} is only in ${path}. ${host} is installed as a package of Windows and reads ${readInstead}: add the entry there.`;
    return [{ file, message }];
  });
}
