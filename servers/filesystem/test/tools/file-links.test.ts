// What is too big for a reply comes with, or as, a link that can be read.
import type { CallToolResult } from "@oarlock/server-kit/protocol";
import type { Tree } from "@oarlock/testing";
import { expect } from "vitest";
import { everyRevisionOn, text } from "../support/served-folder.ts";

const LINES = `${"x".repeat(99)}\n`.repeat(15_000);

everyRevisionOn(
  "cuts a whole file that does not fit, and links it for reading past the model",
  { f: LINES, small: "x" },
  async ({ client, call, at, structured }) => {
    const uri = `file://${at("f")}`;
    const { content } = await call("read_text_file", { path: at("f") });
    expect(content).toHaveLength(3);
    expect(content[0]).toMatchObject({ type: "text", text: expect.stringMatching(/^\[.*go on with offset \d+\]\n/) });
    if (structured) expect(content[1]).toMatchObject({ type: "resource_link", uri, name: "f", size: 1_500_000 });
    else expect(content[1]).toMatchObject({ type: "text", text: expect.stringContaining(uri) });
    const { contents } = await client.read(uri);
    expect(contents).toMatchObject([{ uri, text: LINES }]);
    // After a request for a part, the next parts follow.
    expect((await call("read_text_file", { path: at("f"), offset: 1 })).content).toHaveLength(2);
    expect((await call("read_text_file", { path: at("small") })).content).toHaveLength(2);
  },
);

everyRevisionOn("links media above the limit", { "i.png": Buffer.alloc(2_000_000, 1) }, async ({ call, at, structured }) => {
  const result = await call("read_media_file", { path: at("i.png") });
  if (structured)
    expect(result.content).toMatchObject([{ type: "resource_link", uri: `file://${at("i.png")}`, mimeType: "image/png", size: 2_000_000 }]);
  else expect(text(result)).toContain(`file://${at("i.png")}`);
});

/** The addresses that a result links to, as blocks or, in revisions without them, as texts. */
const linksIn = ({ content }: CallToolResult): string[] =>
  content.slice(1).map((block) => {
    if (block.type === "resource_link") return block.uri;
    const [uri = ""] = (block.type === "text" && /file:\/\/[^\s)>]+/.exec(block.text)) || [];
    return uri;
  });

const MANY: Tree = {
  ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${String(at).padStart(2, "0")}`, "x".repeat(9_999)])),
  small: "small",
  d: {},
};

everyRevisionOn("links the first files that have no room in a reply", MANY, async ({ client, call, at, structured }) => {
  const names = Object.keys(MANY).filter((name) => name.startsWith("f"));
  const paths = ["small", ...names, "d", "none"].map(at);
  const result = await call("read_multiple_files", { paths });
  const links = linksIn(result);
  expect(links).toHaveLength(20);
  expect(new Set(links).size).toBe(20);
  const replyText = result.content[0]?.type === "text" ? result.content[0].text : "";
  // The first of those that are cut or left out, in their order.
  const [start] = links;
  const from = names.findIndex((name) => `file://${at(name)}` === start);
  expect(links).toEqual(names.slice(from, from + 20).map((name) => `file://${at(name)}`));
  expect(replyText).toContain(`${at(names[from - 1] ?? "")}:\n${"x".repeat(9_999)}\n`);
  for (const name of names.slice(from)) expect(replyText).not.toContain(`${at(name)}:\n${"x".repeat(9_999)}\n`);
  expect(replyText).toContain(`${at("f59")}: Error - left out`);
  if (structured) expect(result.content.slice(1).map(({ type }) => type)).toEqual(Array.from({ length: 20 }, () => "resource_link"));
  const { contents } = await client.read(links[19] ?? "");
  expect(contents).toMatchObject([{ text: MANY["f00"] }]);
});

everyRevisionOn(
  "links no file that is read in parts or unreadable, and a repeated one once",
  { f: LINES, d: {}, small: "x" },
  async ({ call, at }) => {
    expect(linksIn(await call("read_multiple_files", { paths: [at("small"), at("f")] }))).toEqual([`file://${at("f")}`]);
    expect(linksIn(await call("read_multiple_files", { paths: [at("f"), at("f"), at("f")] }))).toEqual([`file://${at("f")}`]);
    expect(linksIn(await call("read_multiple_files", { paths: [at("f")], head: 14_999 }))).toEqual([]);
    expect(linksIn(await call("read_multiple_files", { paths: [at("small"), at("d"), at("none")] }))).toEqual([]);
  },
);
