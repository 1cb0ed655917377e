// The owner of a file, who counts as the author of its content with --lockdown.
import { clip } from "../escaped-text.ts";

/** The owner of a file, where that is neither the user of this process nor root. Undefined also where the system has no owners of files. */
export function foreignOwner({ uid }: { readonly uid: number | bigint }): number | undefined {
  const own = process.geteuid?.();
  const owner = Number(uid);
  return own === undefined || owner === own || owner === 0 ? undefined : owner;
}

/** The sentence about content that --lockdown does not give. */
export const lockdownRefusal = (path: string, owner: number): string =>
  `Content hidden by --lockdown: its owner, user ${owner}, is neither the user of this server nor root: ${clip(path)}. The operator can change the owner (chown), or leave --lockdown out.`;
