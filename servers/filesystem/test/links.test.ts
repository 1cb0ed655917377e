// What is too big for a reply comes with, or as, a link that can be read.
import { expect } from "vitest";
import { everyCell, text } from "./support/cells.ts";

const LINES = `${"x".repeat(99)}\n`.repeat(15_000);

everyCell(
  "a whole file that does not fit is cut, and linked to be read past the model",
  { f: LINES, small: "x" },
  async ({ client, call, at, structured }) => {
    const uri = `file://${at("f")}`;
    const { content } = await call("read_text_file", { path: at("f") });
    expect(content).toHaveLength(2);
    expect(content[0]).toMatchObject({ type: "text", text: expect.stringMatching(/go on with offset \d+\]$/) });
    if (structured) expect(content[1]).toMatchObject({ type: "resource_link", uri, name: "f", size: 1_500_000 });
    else expect(content[1]).toMatchObject({ type: "text", text: expect.stringContaining(uri) });
    const { contents } = await client.read(uri);
    expect(contents).toMatchObject([{ uri, text: LINES }]);
    // Who asks for a part goes on by parts.
    expect((await call("read_text_file", { path: at("f"), offset: 1 })).content).toHaveLength(1);
    expect((await call("read_text_file", { path: at("small") })).content).toHaveLength(1);
  },
);

everyCell("media above the bound are a link", { "i.png": Buffer.alloc(2_000_000, 1) }, async ({ call, at, structured }) => {
  const result = await call("read_media_file", { path: at("i.png") });
  if (structured)
    expect(result.content).toMatchObject([{ type: "resource_link", uri: `file://${at("i.png")}`, mimeType: "image/png", size: 2_000_000 }]);
  else expect(text(result)).toContain(`file://${at("i.png")}`);
});
