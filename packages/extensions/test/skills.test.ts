// Skills: listing, reading, directories, and what is refused (SEP-2640).
import { createHash } from "node:crypto";
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { expect, onTestFinished, test } from "vitest";
import { defineServer, resource, type Server } from "@oarlock/server-kit";
import type { Json } from "@oarlock/server-kit/protocol";
import { skills } from "@oarlock/extensions/skills";
import { maySkip } from "../src/skills/start-check.ts";
import { ModernTalk } from "../../server-kit/test/support/modern-talk.ts";
import { talk } from "../../server-kit/test/support/talk.ts";

const FRONTMATTER = `name: demo
description: Shows how. Use it first.
version: 1.10
enabled: yes
count: 0o17
metadata:
  tags: [a, "b"]
  nested: { deep: null, day: 2026-11-23 }
text: |
  two
  lines
`;
const SKILL = `---\n${FRONTMATTER}---\n\n# Demo\n`;
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-skills-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const FILES = {
  "demo/SKILL.md": SKILL,
  "demo/references/GUIDE.md": "\uFEFF# Guide\r\n",
  "demo/references/a b.png": PICTURE,
  "demo/inner/SKILL.md": "---\r\nname: inner\r\ndescription: Inside another\r\n---\r\n",
  "demo/.hidden": "x",
  "loose.md": "not in a skill",
};

const serverOf = (folder: string, spec: object = {}): Server =>
  defineServer({ name: "s", version: "1.0.0", extensions: [skills({ dir: folder, base: "skill://acme/", pageSize: 2 })], ...spec });

const DEMO = "skill://acme/demo/SKILL.md";
const sha256 = (bytes: string | Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

test("SKILL-01 SKILL-02 skills are declared together with resources, in 2026-07-28 only", async () => {
  const folder = folderOf(FILES);
  await using modern = new ModernTalk(serverOf(folder));
  expect((await modern.result("server/discover"))["capabilities"]).toEqual({
    resources: {},
    logging: {},
    extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
  });
  await using older = await talk(serverOf(folder, { resources: [resource({ uri: "x://y", name: "y", read: () => "y" })] }));
  expect((older.greeting["capabilities"] as Json)["extensions"]).toBeUndefined();
  expect((await older.error("skills/list"))["code"]).toBe(-32601);
  expect((await older.result("resources/list"))["resources"]).toEqual([{ uri: "x://y", name: "y" }]);
  expect((await older.error("resources/read", { uri: DEMO }))["code"]).toBe(-32002);
});

test("SKILL-03 SKILL-04 SKILL-05 skills/list names every file of each skill with digest and size, and the frontmatter as YAML 1.2 reads it", async () => {
  await using client = new ModernTalk(serverOf(folderOf(FILES)));
  const { skills: listed, ...rest } = await client.result("skills/list");
  expect(rest).toMatchObject({ resultType: "complete", ttlMs: expect.any(Number), cacheScope: "public" });
  const entry = (name: string, content: string | Uint8Array) => ({
    uri: `skill://acme/demo/${name}`,
    digest: sha256(content),
    size: Buffer.byteLength(content),
  });
  expect(listed).toEqual([
    {
      uri: DEMO,
      frontmatter: parse(FRONTMATTER),
      resources: expect.arrayContaining([
        entry("SKILL.md", SKILL),
        entry("references/GUIDE.md", FILES["demo/references/GUIDE.md"]),
        entry("references/a%20b.png", PICTURE),
        entry("inner/SKILL.md", FILES["demo/inner/SKILL.md"]),
      ]),
    },
    {
      uri: "skill://acme/demo/inner/SKILL.md",
      frontmatter: { name: "inner", description: "Inside another" },
      resources: [entry("inner/SKILL.md", FILES["demo/inner/SKILL.md"])],
    },
  ]);
  expect((listed as { resources: unknown[] }[])[0]?.resources).toHaveLength(4);
});

test("SKILL-06 SKILL-07 skills/list goes page by page, and skills/get gives one entry", async () => {
  const names = ["a", "b", "c", "d", "e"];
  const files = Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, `---\nname: ${name}\ndescription: Skill ${name}\n---\n`]));
  await using client = new ModernTalk(serverOf(folderOf(files)));
  const uris: unknown[] = [];
  for (let cursor: unknown; ;) {
    const page = await client.result("skills/list", cursor === undefined ? {} : { cursor });
    uris.push(...(page["skills"] as { uri: string }[]).map(({ uri }) => uri));
    cursor = page["nextCursor"];
    if (cursor === undefined) break;
  }
  expect(uris).toEqual(names.map((name) => `skill://acme/${name}/SKILL.md`));
  expect((await client.error("skills/list", { cursor: "nonsense" }))["code"]).toBe(-32602);
  const { skill, nextCursor } = await client.result("skills/get", { uri: uris[3] });
  expect([skill, nextCursor]).toEqual([expect.objectContaining({ uri: uris[3] }), undefined]);
  for (const uri of ["skill://acme/none/SKILL.md", "skill://acme/a", undefined, 7])
    expect((await client.error("skills/get", { uri }))["code"]).toBe(-32602);
});

test("SKILL-08 resources/read gives the bytes that were hashed, as text or as a blob, and other resources as before", async () => {
  const folder = folderOf(FILES);
  await using client = new ModernTalk(serverOf(folder, { resources: [resource({ uri: "x://y", name: "y", read: () => "y" })] }));
  const [skill] = (await client.result("skills/list"))["skills"] as { resources: { uri: string; digest: string }[] }[];
  // A file that changes on disk is not served against the old digest.
  writeFileSync(join(folder, "demo/SKILL.md"), "changed");
  for (const { uri, digest } of skill!.resources) {
    const { contents } = await client.result("resources/read", { uri });
    const [content] = contents as { text?: string; blob?: string }[];
    expect(sha256(content!.text ?? Buffer.from(content!.blob!, "base64"))).toBe(digest);
  }
  expect(await client.result("resources/read", { uri: "x://y" })).toMatchObject({ contents: [{ text: "y" }] });
  expect((await client.error("resources/read", { uri: "skill://acme/loose.md" }))["code"]).toBe(-32602);
});

test("SKILL-09 resources/list adds each SKILL.md with name and description of its frontmatter to the last page", async () => {
  const own = ["x://1", "x://2", "x://3"].map((uri) => resource({ uri, name: uri, read: () => "" }));
  const folder = folderOf(FILES);
  await using unaware = new ModernTalk(serverOf(folder, { resources: own }));
  expect((await unaware.result("resources/list"))["resources"]).toHaveLength(3);
  const capabilities = { extensions: { "io.modelcontextprotocol/skills": {} } };
  await using client = new ModernTalk(serverOf(folder, { resources: own, pageSize: 2 }), { capabilities });
  const first = await client.result("resources/list");
  expect(first["resources"]).toHaveLength(2);
  const { resources } = await client.result("resources/list", { cursor: first["nextCursor"] });
  expect(resources).toEqual([
    expect.objectContaining({ uri: "x://3" }),
    { uri: DEMO, name: "demo", description: "Shows how. Use it first.", mimeType: "text/markdown", size: Buffer.byteLength(SKILL) },
    expect.objectContaining({ name: "inner" }),
  ]);
});

test("SKILL-10 resources/directory/read lists the entries of each directory of a skill, and of no other", async () => {
  const folder = folderOf(FILES);
  mkdirSync(join(folder, "demo/empty"));
  await using client = new ModernTalk(serverOf(folder));
  const read = async (uri: string): Promise<unknown[]> => {
    const entries: unknown[] = [];
    for (let cursor: unknown; ;) {
      const page = await client.result("resources/directory/read", { uri, ...(cursor !== undefined && { cursor }) });
      entries.push(...(page["resources"] as { uri: string; mimeType: string }[]).map((one) => [one.uri, one.mimeType]));
      cursor = page["nextCursor"];
      if (cursor === undefined) return entries;
    }
  };
  expect(await read("skill://acme/demo")).toEqual([
    [DEMO, "text/markdown"],
    ["skill://acme/demo/empty", "inode/directory"],
    ["skill://acme/demo/inner", "inode/directory"],
    ["skill://acme/demo/references", "inode/directory"],
  ]);
  expect(await read("skill://acme/demo/empty")).toEqual([]);
  expect(await read("skill://acme/demo/references")).toEqual([
    ["skill://acme/demo/references/GUIDE.md", "text/markdown"],
    ["skill://acme/demo/references/a%20b.png", "image/png"],
  ]);
  for (const uri of [DEMO, "skill://acme", "skill://acme/demo/", "skill://acme/none", "skill://acme/demo/.."])
    expect((await client.error("resources/directory/read", { uri }))["code"]).toBe(-32602);
});

test("a link is not followed out of the folder", async () => {
  const folder = folderOf(FILES);
  const secret = folderOf({ "secret.txt": "secret" });
  symlinkSync(join(secret, "secret.txt"), join(folder, "demo/link.txt"));
  symlinkSync(secret, join(folder, "demo/folder"));
  await using client = new ModernTalk(serverOf(folder));
  expect(JSON.stringify(await client.result("skills/list"))).not.toMatch(/link|folder|secret/);
  expect((await client.error("resources/read", { uri: "skill://acme/demo/link.txt" }))["code"]).toBe(-32602);
});

test.each([
  ["no frontmatter", "# Demo\n", /it has no frontmatter/],
  ["no description", "---\nname: demo\n---\n", /needs the texts name and description/],
  ["the name of another directory", "---\nname: other\ndescription: d\n---\n", /its name is "other", but its directory "demo"/],
  ["an invalid name", "---\nname: Demo_1\ndescription: d\n---\n", /the name "Demo_1" is invalid/],
  ["broken YAML", "---\nname: [demo\ndescription: d\n---\n", /demo\/SKILL\.md cannot be served/],
])("a skill with %s is skipped with a warning at the start, until it is corrected", async (_what, text, reason) => {
  const folder = folderOf({ "demo/SKILL.md": text, "demo/notes.md": "notes", "good/SKILL.md": SKILL.replaceAll("demo", "good") });
  const logged: string[] = [];
  await using client = new ModernTalk(serverOf(folder), { log: (level, data) => void logged.push(`${level} ${String(data)}`) });
  await expect.poll(() => logged).toHaveLength(1);
  for (let count = 0; count < 2; count++)
    expect((await client.result("skills/list"))["skills"]).toMatchObject([{ uri: "skill://acme/good/SKILL.md" }]);
  expect(logged).toEqual([expect.stringMatching(/^warning Skills: The skill demo\/SKILL\.md cannot be served/)]);
  expect(logged[0]).toMatch(reason);
  for (const file of ["SKILL.md", "notes.md"])
    expect((await client.error("resources/read", { uri: `skill://acme/demo/${file}` }))["code"]).toBe(-32602);
  writeFileSync(join(folder, "demo/SKILL.md"), SKILL);
  expect((await client.result("skills/list"))["skills"]).toHaveLength(2);
});

test("reads no skills at the start where each has a plain frontmatter", async () => {
  const text = "---\nname: demo\ndescription: Shows how. Use it first.\n---\n";
  const folder = folderOf({ "demo/SKILL.md": text, "demo/inner/SKILL.md": text.replace("demo", "inner") });
  expect(maySkip(folder)).toBe(false);
  writeFileSync(join(folder, "demo/inner/SKILL.md"), text);
  expect(maySkip(folder)).toBe(true);
});

test.each(["filesystem", "git", "memory", "sqlite"])("reads no skills at the start of %s", (name) => {
  expect(maySkip(fileURLToPath(new URL(`../../../servers/${name}/skills`, import.meta.url)))).toBe(false);
});

test("names a folder that is missing at the start", async () => {
  const logged: string[] = [];
  await using _client = new ModernTalk(serverOf(join(folderOf({}), "gone")), {
    log: (level, data) => void logged.push(`${level} ${String(data)}`),
  });
  await expect.poll(() => logged).toEqual([expect.stringMatching(/^error Skills: .*ENOENT/)]);
});

test("SKILL-11 a skill beyond 512 files is skipped with a warning", async () => {
  const files = Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`demo/f${index}`, "x"]));
  const logged: string[] = [];
  await using client = new ModernTalk(serverOf(folderOf({ ...files, "demo/SKILL.md": SKILL })), {
    log: (_level, data) => void logged.push(String(data)),
  });
  expect((await client.result("skills/list"))["skills"]).toEqual([]);
  expect(logged.join("\n")).toContain("at most 512 files");
});
