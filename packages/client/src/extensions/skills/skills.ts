// skillsOf(): lists, loads and reads the skills of a server. Content is read on demand, and nothing unverified is returned.
// https://github.com/modelcontextprotocol/ext-skills
import { isObject, type Json, type Resource } from "@oarlock/server-kit/protocol";
import type { Client } from "../../client.ts";
import { InvalidResponseError, UnsupportedCapabilityError } from "../../errors.ts";
import { pagedList, type PagedList } from "../../paged-list.ts";
import { isInSkill, toSkill, type Skill, type SkillFile } from "./skill-entry.ts";
import { checkFrontmatter, SkillError, verifiedBytes } from "./verification.ts";

export { SkillError, type Skill, type SkillFile };

const SKILLS = "io.modelcontextprotocol/skills";

/** The skills of one server. */
export interface Skills {
  /** The listed skills. A server need not list all of them. Entries that are not valid are left out. */
  list(): PagedList<Skill>;
  /**
   * Loads a skill by its address, or by its entry in a list: reads its `SKILL.md`, and verifies size, digest and frontmatter.
   * @throws SkillError when the content is not what the server announced. Call again with the address for a fresh entry.
   */
  load(skill: string | Skill): Promise<LoadedSkill>;
  /** The entries of a directory of a skill; the address has no slash at its end. */
  directory(uri: string): PagedList<Resource>;
}

/** A skill whose `SKILL.md` was verified. Its text comes from the server: treat it as untrusted, and ask the user before it is used. */
export interface LoadedSkill {
  readonly skill: Skill;
  /** The text of `SKILL.md`, with the frontmatter. */
  readonly text: string;
  /**
   * Reads and verifies one more file of this skill.
   * @throws SkillError when the skill does not list the file, or its content is not what was announced.
   */
  read(uri: string): Promise<Uint8Array>;
}

/**
 * The skills of the server that a client is connected to.
 * @example
 * const skills = skillsOf(client);
 * for await (const { uri, frontmatter } of skills.list()) console.log(frontmatter.name, uri);
 * const { text } = await skills.load("skill://oarlock-git/use-git/SKILL.md");
 */
export function skillsOf(client: Client): Skills {
  return {
    list: () => listOf(client),
    load: (skill) => load(client, skill),
    directory: (uri) => pagedList<Resource>("resources", (params) => request(client, "resources/directory/read", { ...params, uri })),
  };
}

async function request(client: Client, method: string, params: Json): Promise<Json> {
  if (!isObject(client.capabilities.extensions?.[SKILLS])) throw new UnsupportedCapabilityError("skills");
  return client.request(method, params);
}

/** Drops invalid entries of each page. */
function listOf(client: Client): PagedList<Skill> {
  return pagedList<Skill>("skills", async (params) => {
    const page = await request(client, "skills/list", params);
    return { ...page, skills: Array.isArray(page.skills) ? page.skills.flatMap((entry) => toSkill(entry) ?? []) : undefined };
  });
}

async function load(client: Client, given: string | Skill): Promise<LoadedSkill> {
  const skill = typeof given === "string" ? await entryOf(client, given) : given;
  const bytes = await readFile(client, skill, skill.uri);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  await checkFrontmatter(skill, text);
  return { skill, text, read: (uri) => readFile(client, skill, uri) };
}

async function entryOf(client: Client, uri: string): Promise<Skill> {
  const { skill } = await request(client, "skills/get", { uri });
  const entry = toSkill(skill);
  if (entry === undefined || entry.uri !== uri) throw new InvalidResponseError(`Invalid entry of the skill ${uri}`);
  return entry;
}

async function readFile(client: Client, skill: Skill, uri: string): Promise<Uint8Array> {
  const { resources } = skill;
  const file = resources === "dynamic" ? undefined : resources.find((one) => one.uri === uri);
  if (resources === "dynamic" ? !isInSkill(skill, uri) : file === undefined) throw new SkillError(uri, "the skill does not list this file");
  const { contents } = await client.read(uri);
  return verifiedBytes(uri, contents, file);
}
