// Names of scopes. A scope is a memory of its own beside the default one.
import { createHash } from "node:crypto";

/** The memory that a server without --scope uses. */
export const DEFAULT_SCOPE = "default";
/** A memory for each user whom an authorization server names. */
export const PRINCIPAL_SCOPE = "principal";
/** A memory for each folder that clients work in. */
export const PROJECT_SCOPE = "project";

/** Whether requests choose the scope. */
export const isDynamic = (scope: string | undefined): boolean => scope === PRINCIPAL_SCOPE || scope === PROJECT_SCOPE;

/** Lower case, as file systems may not tell upper case apart, and without what separates paths. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;

const MAX_SLUG_LENGTH = 20;

export const NAME_RULE = "1 to 48 of a-z, 0-9 and -, beginning and ending with a letter or digit";

export const isScopeName = (name: string): boolean => NAME.test(name);

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
