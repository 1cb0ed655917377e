/** Renames and links with the answers of each platform, on any machine: what a system refuses is refused, the rest is done. */
import { linkSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, statSync, symlinkSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { diskCalls, type DiskCalls } from "../../../src/disk/write/disk-calls.ts";

const fail = (code: string, call: string): never => {
  throw Object.assign(new Error(`${code}: ${call}`), { code });
};

const look = (path: string) => lstatSync(path, { throwIfNoEntry: false, bigint: true });

/** Directories, and links to them: symbolic links to directories and junctions have FILE_ATTRIBUTE_DIRECTORY (learn.microsoft.com, "File Attribute Constants", "Reparse Points"). */
function isDirectory(path: string): boolean {
  return (
    look(path)?.isDirectory() === true ||
    (look(path)?.isSymbolicLink() === true && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
  );
}

/** Whether this process has the content of a file open. A handle that names it only (O_PATH) does not count. Linux only. */
function isOpen(path: string): boolean {
  const stat = look(path);
  if (stat === undefined || process.platform !== "linux") return false;
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "0", 8);
      const open = statSync(`/proc/self/fd/${fd}`, { bigint: true });
      return (flags & 0o10000000) === 0 && open.ino === stat.ino && open.dev === stat.dev;
    } catch {
      return false;
    }
  });
}

/**
 * Windows. rename is MoveFileExW with MOVEFILE_REPLACE_EXISTING alone (libuv, src/win/fs.c, fs__rename), ERROR_ACCESS_DENIED is EPERM
 * (src/win/error.c).
 */
export const windowsCalls: DiskCalls = {
  platform: "win32",
  rename(from, to) {
    const [source, target] = [look(from), look(to)];
    if (source !== undefined && target !== undefined && source.ino !== target.ino) {
      // MoveFileExW, MOVEFILE_REPLACE_EXISTING: "This value cannot be used if lpNewFileName or lpExistingFileName names a directory."
      if (isDirectory(from) || isDirectory(to)) fail("EPERM", "MoveFileExW: a directory");
      // [MS-FSA] 2.1.5.15.11, FileRenameInformation: STATUS_ACCESS_DENIED for a read-only target, and for one that is open.
      if (target.isFile() && (target.mode & 0o222n) === 0n) fail("EPERM", "MoveFileExW: the target is read-only");
      if (isOpen(to)) fail("EPERM", "MoveFileExW: the target is open");
    }
    renameSync(from, to);
  },
  link(from, to) {
    // CreateHardLinkW: "This function is only supported on the NTFS file system, and only for files, not directories."
    if (isDirectory(from)) fail("EPERM", "CreateHardLinkW: a directory");
    linkSync(from, to);
  },
  symlink(target, path, type) {
    // CreateSymbolicLinkW needs SeCreateSymbolicLinkPrivilege or the developer mode: ERROR_PRIVILEGE_NOT_HELD, EPERM. A junction needs none, and an
    // absolute path (fs.symlink in the documentation of Node: "Windows junction points require the destination path to be absolute").
    if (type !== "junction" || !isAbsolute(target)) fail("EPERM", "CreateSymbolicLinkW: a required privilege is not held by the client");
    symlinkSync(target, path);
  },
};

/** macOS. link(2): "If the last component of path1 is a symbolic link, link() will point the hard link to the underlying object"; no privilege is needed. */
export const macCalls: DiskCalls = {
  ...diskCalls,
  platform: "darwin",
  link: (from, to) => linkSync(look(from)?.isSymbolicLink() === true ? realpathSync(from) : from, to),
};

export const linuxCalls: DiskCalls = { ...diskCalls, platform: "linux" };

export const EVERY_PLATFORM = [linuxCalls, macCalls, windowsCalls];

/** Every directory lies on a file system of its own: rename(2), link(2) and MoveFileExW (ERROR_NOT_SAME_DEVICE) answer EXDEV. */
export const onManyDevices = (calls: DiskCalls): DiskCalls => ({
  ...calls,
  rename: (from, to) => (isSameFolder(from, to) ? calls.rename(from, to) : fail("EXDEV", "rename")),
  link: (from, to) => (isSameFolder(from, to) ? calls.link(from, to) : fail("EXDEV", "link")),
});

const isSameFolder = (a: string, b: string): boolean => realFolder(a) === realFolder(b);
const realFolder = (path: string): string => realpathSync(dirname(path));

/** What is at a path: the text of a file, `-> TARGET` of a link, the names in a directory. */
export function contentAt(path: string): string | string[] | undefined {
  const stat = look(path);
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stat.isDirectory() ? readdirSync(path).toSorted() : readFileSync(path, "utf8");
}
