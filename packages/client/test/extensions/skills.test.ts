// The skills of a server: listed without a read, and used only when size, digest and frontmatter fit (SEP-2640).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineServer, type Extension } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import type { Json } from "@oarlock/server-kit/protocol";
import { skills } from "@oarlock/extensions/skills";
import { expect, onTestFinished, test } from "vitest";
import { connect, UnsupportedCapabilityError, type Client } from "../../src/index.ts";
import { SkillError, skillsOf } from "../../src/skills.ts";

const SKILL = "---\nname: pdf\ndescription: Reads PDF files\nmetadata: { tags: [a, b], level: 1 }\n---\n# PDF\n";
const URI = "skill://acme/pdf/SKILL.md";
const FORMS = "skill://acme/pdf/references/FORMS.md";

type Change = (result: Json, params: Json) => Json;

interface Connected {
  readonly client: Client;
  /** The addresses that were read. */
  readonly reads: unknown[];
}

/** A client of a server whose results are changed on the way. */
async function connected(changes: Readonly<Record<string, Change>> = {}, revision = "2026-07-28"): Promise<Connected> {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-client-skills-"));
  mkdirSync(join(folder, "pdf/references"), { recursive: true });
  writeFileSync(join(folder, "pdf/SKILL.md"), SKILL);
  writeFileSync(join(folder, "pdf/references/FORMS.md"), "# Forms\n");
  const reads: unknown[] = [];
  const between = (method: string, params: Json, result: object): object => {
    if (method === "resources/read") reads.push(params.uri);
    return changes[method]?.(structuredClone(result) as Json, params) ?? result;
  };
  const changing: Extension = {
    id: "com.example/changing",
    since: "2026-07-28",
    start: () => ({
      handlers: Object.fromEntries(
        ["skills/list", "skills/get", "resources/read"].map((method) => [
          method,
          (next) => ({ ...next, run: async (params, ctx) => between(method, params, await next.run(params, ctx)) }),
        ]),
      ),
    }),
  };
  const server = defineServer({ name: "s", version: "1.0.0", extensions: [skills({ dir: folder, base: "skill://acme" }), changing] });
  const http = await serveHttp(server, { port: 0 });
  const client = await connect({ url: http.url }, { revision });
  onTestFinished(async () => {
    await client.close();
    await http.stop();
    rmSync(folder, { recursive: true });
  });
  return { client, reads };
}

const changeText =
  (change: (text: string) => string): Change =>
  (result) => ({ ...result, contents: (result.contents as { text: string }[]).map((one) => ({ ...one, text: change(one.text) })) });

test("SKILL-12 lists skills without a read, and reads SKILL.md and other files on use", async () => {
  const { client, reads } = await connected();
  const listed = await skillsOf(client).list().all();
  expect(listed).toEqual([expect.objectContaining({ uri: URI, frontmatter: expect.objectContaining({ name: "pdf" }) })]);
  expect(reads).toEqual([]);
  const loaded = await skillsOf(client).load(listed[0]!);
  expect(loaded.text).toBe(SKILL);
  expect(reads).toEqual([URI]);
  expect(new TextDecoder().decode(await loaded.read(FORMS))).toBe("# Forms\n");
  expect(reads).toEqual([URI, FORMS]);
});

test("SKILL-13 loads a skill by its URI without a list, and lists directories", async () => {
  const { client } = await connected();
  expect((await skillsOf(client).load(URI)).skill.frontmatter.description).toBe("Reads PDF files");
  expect((await skillsOf(client).directory("skill://acme/pdf").all()).map(({ name }) => name)).toEqual(["pdf", "references"]);
  await expect(skillsOf(client).load("skill://acme/none/SKILL.md")).rejects.toMatchObject({ code: -32602 });
});

test.each<[string, Record<string, Change>, RegExp]>([
  ["other bytes of the same size", { "resources/read": changeText((text) => text.replace("# PDF", "# PDX")) }, /another digest/],
  ["a longer text", { "resources/read": changeText((text) => `${text}more`) }, /its size is \d+, and \d+ was announced/],
  [
    "another description in the entry",
    {
      "skills/list": ({ skills: all, ...rest }) => ({
        ...rest,
        skills: (all as Json[]).map((one) => ({ ...one, frontmatter: { ...(one.frontmatter as Json), description: "Harmless" } })),
      }),
    },
    /"description" in its frontmatter differs/,
  ],
  [
    "a member that only the file has",
    {
      "skills/list": ({ skills: all, ...rest }) => ({
        ...rest,
        skills: (all as Json[]).map((one) => ({ ...one, frontmatter: { name: "pdf", description: "Reads PDF files" } })),
      }),
    },
    /"metadata" in its frontmatter differs/,
  ],
  [
    "the content of another address",
    { "resources/read": (result) => ({ ...result, contents: [{ ...(result.contents as Json[])[0], uri: FORMS }] }) },
    /returned something else/,
  ],
])("SKILL-14 rejects a SKILL.md with %s", async (_what, changes, reason) => {
  const { client } = await connected(changes);
  const [skill] = await skillsOf(client).list().all();
  const failure = await skillsOf(client)
    .load(skill!)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SkillError);
  expect((failure as SkillError).message).toMatch(reason);
});

test("SKILL-15 reads no file that the skill does not list", async () => {
  const { client, reads } = await connected();
  const loaded = await skillsOf(client).load(URI);
  for (const uri of ["skill://acme/pdf/other.md", "skill://other/SKILL.md", "file:///etc/passwd", `${URI}/../../x`])
    await expect(loaded.read(uri)).rejects.toThrow("the skill does not list this file");
  expect(reads).toEqual([URI]);
});

test.each<[string, (entry: Json) => Json]>([
  ["without resources", (entry) => ({ ...entry, resources: undefined })],
  ["with a digest of another form", (entry) => ({ ...entry, resources: [{ uri: URI, digest: "md5:0", size: 1 }] })],
  ["without its SKILL.md", (entry) => ({ ...entry, resources: (entry.resources as Json[]).filter(({ uri }) => uri !== URI) })],
  [
    "with a file outside of its directory",
    (entry) => ({
      ...entry,
      resources: [...(entry.resources as Json[]), { ...(entry.resources as Json[])[0], uri: "file:///etc/passwd" }],
    }),
  ],
  ["without a description", (entry) => ({ ...entry, frontmatter: { name: "pdf" } })],
])("SKILL-16 leaves an entry %s out of the list, and refuses its URI", async (_what, change) => {
  const { client, reads } = await connected({
    "skills/list": (page) => ({ ...page, skills: (page.skills as Json[]).map(change) }),
    "skills/get": (result) => ({ ...result, skill: change(result.skill as Json) }),
  });
  expect(await skillsOf(client).list().all()).toEqual([]);
  await expect(skillsOf(client).load(URI)).rejects.toThrow(`Invalid entry of the skill ${URI}`);
  expect(reads).toEqual([]);
});

test("reads files of a dynamic skill within its directory only", async () => {
  const { client } = await connected({
    "skills/get": (result) => ({ ...result, skill: { ...(result.skill as Json), resources: "dynamic" } }),
  });
  const loaded = await skillsOf(client).load(URI);
  expect(new TextDecoder().decode(await loaded.read(FORMS))).toBe("# Forms\n");
  for (const uri of ["skill://acme/other/SKILL.md", "skill://acme/pdf/../x", "skill://acme/pdf/%2e%2E/x"])
    await expect(loaded.read(uri)).rejects.toBeInstanceOf(SkillError);
});

test("sends no requests for skills to a server without them", async () => {
  const { client } = await connected({}, "2025-11-25");
  await expect(skillsOf(client).list().all()).rejects.toBeInstanceOf(UnsupportedCapabilityError);
  await expect(skillsOf(client).load(URI)).rejects.toBeInstanceOf(UnsupportedCapabilityError);
});
