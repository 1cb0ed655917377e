// import of files of other programs and of notes, and export as notes.
import { existsSync, readdirSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import type { Entity, Relation } from "../../../../src/graph/model.ts";
import { entity, jsonl, relation } from "../../../support/graphs.ts";
import { runCommand } from "../../../support/run-command.ts";
import { dbOf, perStore } from "../../../support/store-under-test.ts";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly lines: string[];
}

async function run(folder: TempFolder, ...given: string[]): Promise<Ended> {
  const { code, out, stderr } = await runCommand([...given, "--db", dbOf(folder.at("m.db"))]);
  return { code, out, lines: stderr };
}

const stored = async (folder: TempFolder): Promise<{ entities: Entity[]; relations: Relation[] }> =>
  JSON.parse((await run(folder, "export", "--json")).out) as { entities: Entity[]; relations: Relation[] };

const MEM0 = JSON.stringify({
  results: [
    { id: "1", memory: "Prefers tea", user_id: "alex", categories: ["drinks"], created_at: "2026-01-02T03:04:05Z", metadata: { a: 1 } },
    { id: "2", memory: "Answers in French", agent_id: "helper" },
    { id: "3", memory: "", user_id: "alex" },
  ],
  relations: [{ source: "alex", relationship: "likes", target: "tea" }],
});

const SERVICE = JSON.stringify({
  export_metadata: { source_machine: "laptop", total_memories: 2 },
  memories: [
    { content: "We use Postgres\nsince May", content_hash: "ab", tags: ["db", "decision"], memory_type: "decision", created_at: 1.7e9 },
    { content: "Deploy on Fridays", content_hash: "cd", tags: "ops,rule", memory_type: "note" },
  ],
});

const message = (id: string, parent: string | null, role: string, text: string, time: number) => ({
  id,
  parent,
  children: [],
  message: { author: { role }, create_time: time, content: { content_type: "text", parts: [text] } },
});

const CHATGPT = JSON.stringify([
  {
    title: "Trip",
    conversation_id: "68a1b2c3-0000",
    current_node: "c",
    mapping: {
      a: message("a", null, "system", "hidden", 0),
      b: message("b", "a", "user", "I moved to Lisbon", 1_767_225_600),
      c: message("c", "b", "assistant", "Noted", 1_767_225_660),
      d: message("d", "b", "assistant", "an older branch", 1_767_225_630),
    },
  },
]);

const CLAUDE = JSON.stringify([
  {
    uuid: "0f0f0f0f-1111",
    name: "Plans",
    chat_messages: [
      { sender: "human", text: "Book a table", created_at: "2026-01-01T10:00:00Z" },
      { sender: "assistant", text: "", content: [{ type: "text", text: "Done" }], created_at: "2026-01-01T10:01:00Z" },
    ],
  },
]);

const FORMATS: readonly (readonly [string, string, { entities: Entity[]; relations: Relation[] }, string[]])[] = [
  [
    "mem0",
    MEM0,
    {
      entities: [entity("alex", "user", "Prefers tea"), entity("helper", "agent", "Answers in French")],
      relations: [relation("alex", "likes", "tea")],
    },
    ["record 3 left out: it has no memory text"],
  ],
  [
    "mcp-memory-service",
    SERVICE,
    {
      entities: [
        entity("We use Postgres", "decision", "We use Postgres\nsince May"),
        entity("Deploy on Fridays", "note", "Deploy on Fridays"),
      ],
      relations: [],
    },
    [],
  ],
  [
    "chatgpt",
    CHATGPT,
    {
      entities: [
        entity(
          "Chat: Trip (68a1b2c3)",
          "transcript",
          "[unreviewed] user, 2026-01-01 00:00: I moved to Lisbon",
          "[unreviewed] assistant, 2026-01-01 00:01: Noted",
        ),
      ],
      relations: [],
    },
    [],
  ],
  [
    "claude",
    CLAUDE,
    {
      entities: [
        entity(
          "Chat: Plans (0f0f0f0f)",
          "transcript",
          "[unreviewed] user, 2026-01-01 10:00: Book a table",
          "[unreviewed] assistant, 2026-01-01 10:01: Done",
        ),
      ],
      relations: [],
    },
    [],
  ],
  [
    "transcript",
    "User: I moved.\nTo Lisbon.\n\nAssistant: Noted\n",
    {
      entities: [
        entity("Chat: in", "transcript", "[unreviewed] user, message 1: I moved.\nTo Lisbon.", "[unreviewed] assistant, message 2: Noted"),
      ],
      relations: [],
    },
    [],
  ],
];

describe("import", () => {
  // Both stores import the same graphs.
  test.each(perStore(FORMATS))(
    "finds the format %s, reports what it leaves out, and adds nothing the second time",
    async (format, content, expected, left) => {
      await using folder = tempFolder({ "in.txt": content });
      const dry = await run(folder, "import", folder.at("in.txt"), "--dry-run");
      expect(dry.lines.at(-1)).toMatch(new RegExp(`^Dry run: .* would be imported from ${format}\\. .*Nothing was changed\\.$`));
      const first = await run(folder, "import", folder.at("in.txt"));
      expect(first.code).toBe(0);
      expect(first.lines).toEqual(expect.arrayContaining(left));
      expect(await stored(folder)).toEqual(expected);
      expect((await run(folder, "import", folder.at("in.txt"), "--format", format)).lines.at(-1)).toMatch(
        /^Imported 0 entities, 0 observations and 0 relations/,
      );
      expect(await stored(folder)).toEqual(expected);
    },
  );

  test("reads a folder of basic-memory: categories and tags stay in the texts, links lead to titles", async () => {
    await using folder = tempFolder({
      "notes/coffee/Brewing.md":
        '---\ntitle: Coffee brewing\ntype: guide\ntags: [coffee]\npermalink: coffee/brewing\n---\n\n# Coffee brewing\n\nSee [[Water]].\n\n- [method] Pour over is clear #taste (2026)\n- [ ] a task\n- relates_to [[coffee/beans]]\n- "is better with" [[Beans]] (always)\n',
      "notes/coffee/Beans.md": "---\ntitle: Beans\n---\n\n- [fact] Roasted\n",
      "notes/broken.md": "---\na: [\n---\n",
    });
    const { code, lines } = await run(folder, "import", folder.at("notes"));
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/broken\.md.*line \d+: frontmatter is not YAML/));
    expect(lines).toContainEqual(expect.stringMatching(/^coffee\/Brewing\.md left out: /));
    expect(await stored(folder)).toEqual({
      entities: [entity("Beans", "note", "[fact] Roasted"), entity("Coffee brewing", "guide", "[method] Pour over is clear #taste (2026)")],
      relations: [
        relation("Coffee brewing", "relates_to", "Beans"),
        relation("Coffee brewing", "is better with", "Beans"),
        relation("Coffee brewing", "links_to", "Water"),
      ],
    });
  });

  test.each([
    ["a list with a fault", '[\n  {"memory": "a", "user_id": "b"},\n  {"memory": nonsense}\n]', [], /line 3 is not JSON/],
    ["a cut export", '[\n{"memory": "a", "user_id": "b"},\n{"mem', [], /line 3 is not JSON/],
    ["a file of another kind than --format says", "hello", ["--format", "claude"], /line 1 is not JSON/],
  ])("of %s fails with its line, and changes nothing", async (_what, content, args, expected) => {
    await using folder = tempFolder({ "in.json": content });
    const { code, lines } = await run(folder, "import", folder.at("in.json"), ...args);
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(expected)] });
    expect(existsSync(folder.at("m.db"))).toBe(false);
  });

  test("refuses an unknown format", async () => {
    await using folder = tempFolder({ "in.json": "[]" });
    expect(await run(folder, "import", folder.at("in.json"), "--format", "nonsense")).toMatchObject({
      code: 2,
      lines: [expect.stringMatching(/Unknown format "nonsense": jsonl, mem0, /)],
    });
  });
});

test("writes notes with export --format markdown that import reads back", async () => {
  const entities = [entity("Ada", "person", "lives in Lisbon", "- two\nlines "), entity("ada", "x"), entity("a/b: c?", "", "[[x]]")];
  const relations = [relation("Ada", "knows well", "a/b: c?"), relation("nobody", "saw", "Ada"), relation("ada", "saw", "ADA")];
  await using folder = tempFolder({ "in.jsonl": jsonl(entities, relations) });
  await run(folder, "import", folder.at("in.jsonl"));
  expect(await run(folder, "export", "--format", "markdown", folder.at("notes"))).toMatchObject({
    code: 0,
    lines: [/^Exported 4 notes/].map((line) => expect.stringMatching(line)),
  });
  expect(readdirSync(folder.at("notes"))).toHaveLength(4);
  await using other = tempFolder();
  expect((await run(other, "import", folder.at("notes"))).code).toBe(0);
  const back = await stored(other);
  expect(new Set(back.entities)).toEqual(new Set(entities));
  expect(new Set(back.relations)).toEqual(new Set(relations));
});
