// skills(): serves the skills of a folder. https://github.com/modelcontextprotocol/ext-skills
import { fileURLToPath } from "node:url";
import { invalidParams, type CallHandler, type Extension, type ExtensionParts } from "@oarlock/server-kit";
import { describeError, hintsOf, LISTS, OLDEST_STATELESS, pageOf } from "@oarlock/server-kit/extension";
import type { Json, Resource, ResourceContents } from "@oarlock/server-kit/protocol";
import { maySkip } from "./start-check.ts";
import type { Child, Skill, SkillFile, SkillSet } from "./skill-set.ts";

export const SKILLS = "io.modelcontextprotocol/skills";

/** Where skills are, and under which address they are served. */
export interface SkillsOptions {
  /** The folder: each directory in it with a `SKILL.md` is a skill. A path, or the URL of a folder beside your module. */
  dir: string | URL;
  /** The address of the folder, for example `skill://my-server`. */
  base: string;
  /** Entries per page of a list. Default 100. */
  pageSize?: number;
  /** Whether `resources/list` names each `SKILL.md` also to clients that do not declare the extension. Default false. */
  listed?: boolean;
}

/**
 * An extension that serves skills: instructions for models, in the form of Agent Skills. The folder is read on the first request for it, and
 * its files stay in memory, so that a client gets the bytes whose digest it was given. A skill that cannot be served is left out, and named in
 * the log at the start. Requires the package `yaml`.
 * @example
 * const server = defineServer({
 *   name: "weather",
 *   version: "1.0.0",
 *   extensions: [skills({ dir: new URL("../skills", import.meta.url), base: "skill://weather" })],
 * });
 */
export function skills({ dir, base, pageSize = 100, listed = false }: SkillsOptions): Extension {
  const root = base.replace(/\/+$/, "");
  const folder = typeof dir === "string" ? dir : fileURLToPath(dir);
  return {
    id: SKILLS,
    since: OLDEST_STATELESS,
    settings: { directoryRead: true },
    start({ log }) {
      const read = sourceOf(folder, root, (reason) => log("warning", `Skills: ${reason}`));
      const report = (error: unknown): void => log("error", `Skills: ${describeError(error)}`);
      if (maySkip(folder)) read().catch(report); // names what is wrong
      return partsOf({ root, read, pageSize, listed, report });
    },
  };
}

/** Reads the folder once, when a skill is first requested: hashing and YAML are loaded then. What is left out is named once. */
function sourceOf(folder: string, base: string, warn: (reason: string) => void): () => Promise<SkillSet> {
  let reading: Promise<SkillSet> | undefined;
  const named = new Set<string>();
  return async () => {
    reading ??= import("./skill-set.ts").then(({ readSkills }) => readSkills(folder, base));
    try {
      const set = await reading;
      for (const reason of set.skipped) if (!named.has(reason)) warn(reason);
      for (const reason of set.skipped) named.add(reason);
      if (set.skipped.length > 0) reading = undefined; // the folder may have been corrected by the next request
      return set;
    } catch (error) {
      reading = undefined; // as above
      throw error;
    }
  };
}

interface PartsOptions {
  /** The address of the folder. */
  readonly root: string;
  readonly pageSize: number;
  readonly listed: boolean;
  read(): Promise<SkillSet>;
  report(error: unknown): void;
}

function partsOf(options: PartsOptions): ExtensionParts {
  const { root, pageSize, read } = options;
  const hints = hintsOf({}, LISTS);
  return {
    capabilities: { resources: {} },
    methods: {
      "skills/list": {
        async run({ cursor }) {
          const { skills: all } = await read();
          const { items, ...rest } = pageOf("skills", [...all.values()], ({ uri }) => uri, cursor, pageSize);
          return { skills: items.map(entryOf), ...rest, ...hints };
        },
      },
      "skills/get": {
        async run({ uri }) {
          const skill = (await read()).skills.get(String(uri));
          if (skill === undefined) throw invalidParams("uri: no skill has this address");
          return { skill: entryOf(skill), ...hints };
        },
      },
      "resources/directory/read": {
        async run({ uri, cursor }) {
          const children = (await read()).directories.get(String(uri));
          if (children === undefined) throw invalidParams("uri: no directory of a skill has this address");
          const { items, ...rest } = pageOf(`directory ${String(uri)}`, children, (child) => child.name, cursor, pageSize);
          return { resources: items.map(toResource), ...rest };
        },
      },
    },
    handlers: {
      "resources/list": (next) => withManifests(next, options),
      "resources/read": (next) => ({
        ...next,
        async run(params, ctx) {
          const uri = String(params.uri);
          const file = uri.startsWith(`${root}/`) ? (await read()).files.get(uri) : undefined;
          return file === undefined ? next.run(params, ctx) : { contents: [contentsOf(file)], ...hints };
        },
      }),
    },
  };
}

const entryOf = ({ uri, frontmatter, files }: Skill): Json => ({
  uri,
  frontmatter,
  resources: files.map((file) => ({ uri: file.uri, digest: file.digest, size: file.bytes.length })),
});

/** Adds the `SKILL.md` of each skill to the last page of `resources/list`, which other resources have even if the skills cannot be read. */
const withManifests = (next: CallHandler, { listed, read, report }: PartsOptions): CallHandler => ({
  ...next,
  async run(params, ctx) {
    const page = (await next.run(params, ctx)) as { resources: Resource[]; nextCursor?: string };
    if (page.nextCursor !== undefined || !(listed || ctx.client.extension(SKILLS) !== undefined)) return page;
    try {
      const { skills: all, files } = await read();
      const manifests = [...all.keys()].flatMap((uri) => files.get(uri) ?? []);
      return { ...page, resources: [...page.resources, ...manifests.map((file) => toResource({ uri: file.uri, name: file.name, file }))] };
    } catch (error) {
      report(error);
      return page;
    }
  },
});

function toResource({ uri, name, file }: Child): Resource {
  if (file === undefined) return { uri, name, mimeType: "inode/directory" };
  const { frontmatter, mimeType, bytes } = file;
  const about = frontmatter === undefined ? { name } : { name: frontmatter.name, description: frontmatter.description };
  return { uri, ...about, mimeType, size: bytes.length };
}

function contentsOf({ uri, bytes, mimeType }: SkillFile): ResourceContents {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { uri, mimeType, text };
  } catch {
    return { uri, mimeType, blob: Buffer.from(bytes).toString("base64") };
  }
}
