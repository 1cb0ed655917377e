// Scopes that follow from a request: those of users and of folders.
import { createHash } from "node:crypto";

const MAX_SLUG_LENGTH = 20;

/** The scope of a user: by a digest, as the name comes from elsewhere and may have any form and length. */
export const scopeOfPrincipal = (principal: string): string => `user-${digestOf(principal, 20)}`;

/** The scope of a folder, given as the URI of a root. Users do not share it: any client may claim any root. */
export function scopeOfProject(root: string, principal: string | undefined): string {
  const uri = root.replace(/\/+$/, "");
  const slug = slugOf(decoded(uri.slice(uri.lastIndexOf("/") + 1)));
  return `project-${slug}-${digestOf(JSON.stringify([uri, principal ?? null]), 12)}`;
}

const digestOf = (text: string, length: number): string => createHash("sha256").update(text).digest("hex").slice(0, length);

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  return slug === "" ? "folder" : slug;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
