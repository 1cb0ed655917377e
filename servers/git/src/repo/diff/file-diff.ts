// One file of a diff.

export interface FileDiff {
  readonly path: string;
  /** The name before a rename or copy. */
  readonly oldPath?: string;
  status: string;
  additions: number;
  deletions: number;
  binary: boolean;
  /** Bytes of the content before and after, with the format `sizes`; undefined where there is none, or it is missing. */
  oldSize?: number;
  size?: number;
  /** git's own text; undefined where it was left out. */
  patch?: string;
}

/** Receives the patches of a diff while it is read. */
export interface PatchReceiver {
  begin(index: number, total: number): void;
  add(bytes: Buffer): void;
  end(file: FileDiff): void;
}

export interface DiffTotals {
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

export function totalsOf(files: readonly FileDiff[]): DiffTotals {
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { files: files.length, additions, deletions };
}
