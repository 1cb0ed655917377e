// Reads the paths of an index file (gitformat-index), in the order in which git reads them.

export class IndexDamaged extends Error {}

const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size of a file. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
const HAS_MORE_FLAGS = 0x40_00;
const LENGTH_MASK = 0x0f_ff;

/** The paths as Latin-1 text. None for a file that git does not take for an index. Throws {@link IndexDamaged}. */
export function* indexPaths(index: Buffer, idBytes: number): Generator<string> {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return;
  const count = index.readUInt32BE(8);
  let at = HEADER_BYTES;
  let previous = "";
  for (let left = count; left > 0; left--) {
    const flagsAt = at + STAT_BYTES + idBytes;
    const flags = index.readUInt16BE(requireRoom(index, flagsAt, FLAG_BYTES));
    const nameAt = flagsAt + FLAG_BYTES + ((flags & HAS_MORE_FLAGS) === 0 ? 0 : FLAG_BYTES);
    const [prefix, start] = version === 4 ? sharedPrefix(index, nameAt, previous) : ["", nameAt];
    const end = index.indexOf(0, start);
    if (end === -1) throw new IndexDamaged();
    const path = prefix + index.toString("latin1", start, end);
    const length = flags & LENGTH_MASK;
    // git goes by this length where the path is short enough for it.
    if (length !== Math.min(path.length, LENGTH_MASK)) throw new IndexDamaged();
    yield path;
    previous = path;
    // Entries are filled up to a multiple of eight bytes, with one zero at least.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
}

function requireRoom(index: Buffer, at: number, bytes: number): number {
  if (at + bytes > index.length) throw new IndexDamaged();
  return at;
}

/** In version 4 a path begins with how many bytes of the one before it are cut off. */
function sharedPrefix(index: Buffer, at: number, previous: string): [prefix: string, next: number] {
  let next = at;
  let byte = index.readUInt8(requireRoom(index, next++, 1));
  let cut = byte & 0x7f;
  while (byte > 0x7f) {
    byte = index.readUInt8(requireRoom(index, next++, 1));
    cut = (cut + 1) * 128 + (byte & 0x7f);
  }
  if (cut > previous.length) throw new IndexDamaged();
  return [previous.slice(0, previous.length - cut), next];
}
