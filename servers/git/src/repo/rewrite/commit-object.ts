// A commit as git stores it, with some of its header lines replaced; everything else stays as it is, byte for byte.

export interface CommitChanges {
  /** The id of the new tree. */
  readonly tree?: string | undefined;
  /** The new id of a parent that was made anew. */
  readonly parentOf: (parent: string) => string;
  /** `Name <email>`; the time stays. */
  readonly author?: string | undefined;
  /** `Name <email> seconds zone` */
  readonly committer: string;
  readonly message?: string | undefined;
}

/** They cover the old content. */
const SIGNATURES: ReadonlySet<string> = new Set(["gpgsig", "gpgsig-sha256", "mergetag"]);

export function changedCommit(commit: Buffer, { tree, parentOf, author, committer, message }: CommitChanges): Buffer {
  const text = commit.toString("latin1");
  const end = text.indexOf("\n\n");
  // A header line goes on in lines that begin with a blank.
  const lines = (end === -1 ? text : text.slice(0, end)).split(/\n(?! )/);
  const changed = lines.flatMap((line): (string | Buffer)[] => {
    const [name = ""] = line.split(" ", 1);
    const value = line.slice(name.length + 1);
    if (name === "tree" && tree !== undefined) return [`tree ${tree}`];
    if (name === "parent") return [`parent ${parentOf(value)}`];
    if (name === "author" && author !== undefined)
      return [Buffer.from(`author ${author}${/ \d+ [+-]\d+$/.exec(value)?.[0] ?? " 0 +0000"}`)];
    if (name === "committer") return [Buffer.from(`committer ${committer}`)];
    // A new message is UTF-8.
    if (SIGNATURES.has(name) || (name === "encoding" && message !== undefined)) return [];
    return [line];
  });
  const header = changed.flatMap((line) => [typeof line === "string" ? Buffer.from(line, "latin1") : line, Buffer.from("\n")]);
  const body = message === undefined ? commit.subarray(end === -1 ? commit.length : end + 1) : Buffer.from(`\n${message}`);
  return Buffer.concat([...header, body]);
}

/** Whether the commit has a signature, which a changed one loses. */
export const isSigned = (commit: Buffer): boolean => /^[^\n]+(?:\n[^\n]+)*?\ngpgsig/.test(commit.toString("latin1", 0, 4096));
