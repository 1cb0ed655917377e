// Verifies the files of a skill against its entry: size, digest, and each member of the frontmatter.
import { isObject, type ResourceContents } from "@oarlock/server-kit/protocol";
import { readFrontmatter } from "@oarlock/extensions/skills";
import type { Skill, SkillFile } from "./skill-entry.ts";

/** A file of a skill is not what its entry announced, so its content was not used. */
export class SkillError extends Error {
  readonly uri: string;

  constructor(uri: string, reason: string) {
    super(`Skill file ${uri} was not used: ${reason}.`);
    this.name = "SkillError";
    this.uri = uri;
  }
}

/** The bytes of a read, verified where the entry has a digest. */
export async function verifiedBytes(
  uri: string,
  contents: readonly ResourceContents[],
  file: SkillFile | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const [content] = contents;
  if (contents.length !== 1 || content?.uri !== uri) throw new SkillError(uri, "the server returned something else");
  const bytes = bytesOf(content);
  if (bytes === undefined) throw new SkillError(uri, "the server returned neither text nor a blob");
  if (file === undefined) return bytes;
  if (bytes.length !== file.size) throw new SkillError(uri, `its size is ${bytes.length}, and ${file.size} was announced`);
  if ((await digestOf(bytes)) !== file.digest) throw new SkillError(uri, "its content has another digest than the announced one");
  return bytes;
}

function bytesOf({ text, blob }: { text?: unknown; blob?: unknown }): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text === "string") return new TextEncoder().encode(text);
  return typeof blob === "string" ? Uint8Array.from(atob(blob), (character) => character.charCodeAt(0)) : undefined;
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Compares the frontmatter of the text with that of the entry, in both directions. */
export async function checkFrontmatter({ uri, frontmatter }: Skill, text: string): Promise<void> {
  const own = await readFrontmatter(text).catch((error: unknown) => {
    throw new SkillError(uri, error instanceof Error ? error.message.replace(/\.$/, "") : "its frontmatter cannot be read");
  });
  const differing = [...new Set([...Object.keys(own), ...Object.keys(frontmatter)])].find((key) => !isEqual(own[key], frontmatter[key]));
  if (differing !== undefined) throw new SkillError(uri, `${JSON.stringify(differing)} in its frontmatter differs from the announced one`);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
