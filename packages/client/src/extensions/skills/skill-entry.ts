// The entry of a skill in a list, as servers send it: validated, because its digests decide what is used.
import { isObject } from "@oarlock/server-kit/protocol";
import type { Frontmatter } from "@oarlock/extensions/skills";

/** A file of a skill. */
export interface SkillFile {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** A skill of a server. Together with the server its address is its identity, not its name. */
export interface Skill {
  /** The address of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: Frontmatter;
  /** All files of the skill; `"dynamic"` when their contents change, so that they cannot be verified. */
  readonly resources: readonly SkillFile[] | "dynamic";
}

/** Undefined for an entry that must not be used. */
export function toSkill(entry: unknown): Skill | undefined {
  if (!isObject(entry)) return undefined;
  const { uri, frontmatter, resources } = entry;
  if (typeof uri !== "string" || !uri.includes("/") || !isFrontmatter(frontmatter)) return undefined;
  if (resources === "dynamic") return { uri, frontmatter, resources };
  if (!Array.isArray(resources) || !resources.every(isFile)) return undefined;
  const skill = { uri, frontmatter, resources };
  return resources.every((file) => isInSkill(skill, file.uri)) && resources.some((file) => file.uri === uri) ? skill : undefined;
}

/** Whether the address is within the directory of the skill. */
export function isInSkill({ uri }: Pick<Skill, "uri">, other: string): boolean {
  return other.startsWith(uri.slice(0, uri.lastIndexOf("/") + 1)) && !/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(other);
}

const isFrontmatter = (value: unknown): value is Frontmatter =>
  isObject(value) && typeof value.name === "string" && typeof value.description === "string";

const isFile = (value: unknown): value is SkillFile =>
  isObject(value) &&
  typeof value.uri === "string" &&
  typeof value.digest === "string" &&
  /^sha256:[0-9a-f]{64}$/.test(value.digest) &&
  Number.isSafeInteger(value.size) &&
  Number(value.size) >= 0;
