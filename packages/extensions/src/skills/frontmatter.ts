// The frontmatter of a SKILL.md: YAML between two lines of three hyphens, at the start of the file.
// https://github.com/modelcontextprotocol/ext-skills
import { SKILL_NAME } from "./skill-name.ts";

/** All members of the frontmatter of a skill, as JSON. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly [member: string]: unknown;
}

const BLOCK = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the frontmatter of the text of a `SKILL.md`, as YAML 1.2. Loads the package `yaml`.
 * @throws Error that names the missing or invalid part.
 */
export async function readFrontmatter(markdown: string): Promise<Frontmatter> {
  const block = BLOCK.exec(markdown)?.[1];
  if (block === undefined) throw new Error("it has no frontmatter: begin the file with --- and the members name and description.");
  const { parse } = await import("yaml");
  const members: unknown = toJson(parse(block, { logLevel: "error" }));
  if (!isFrontmatter(members)) throw new Error("its frontmatter needs the texts name and description.");
  if (!SKILL_NAME.test(members.name))
    throw new Error(`the name ${JSON.stringify(members.name)} is invalid: use at most 64 lower-case letters, digits and single hyphens.`);
  return members;
}

/** As JSON shows it: no maps with other keys than texts, no dates, no infinite numbers. */
const toJson = (value: unknown): unknown => (value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown));

const isFrontmatter = (value: unknown): value is Frontmatter =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "description" in value &&
  typeof value.description === "string" &&
  value.description.trim() !== "";
