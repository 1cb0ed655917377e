import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { folderTree, treeNotice, treeText, type TreeNode, type TreeOptions } from "../../../src/disk/tree/directory-tree.ts";
import { scratch, type Scratch } from "../support/scratch.ts";

async function treeOf(place: Scratch, options: TreeOptions = {}) {
  return folderTree(await place.area(), place.root, options);
}

/** `a b/ (c d/ ())`, with `…` where something is missing. */
function outline(nodes: readonly TreeNode[]): string {
  return nodes
    .map(
      ({ name, children, truncated }) =>
        name + (children ? `/ (${[outline(children), truncated ? "…" : ""].filter(Boolean).join(" ")})` : ""),
    )
    .join(" ");
}

const files = { "a.txt": "", "src/b.ts": "", "src/lib/c.ts": "", "node_modules/x/d.js": "", "src/node_modules/y": "", empty: null };

test("the official shape: children on directories only, in the system's order", async () => {
  const tree = await treeOf(scratch({ "a.txt": "", "src/b.ts": "", empty: null }));
  expect(treeText(tree)).toBe(
    JSON.stringify(
      [
        { name: "a.txt", type: "file" },
        { name: "empty", type: "directory", children: [] },
        { name: "src", type: "directory", children: [{ name: "b.ts", type: "file" }] },
      ],
      null,
      2,
    ),
  );
  expect(tree).toMatchObject({ entries: 4, truncated: false, omitted: { entries: 0, directories: 0 } });
});

test("an empty folder is an empty list", async () => {
  expect(treeText(await treeOf(scratch()))).toBe("[]");
});

describe("exclude patterns", () => {
  test("without a star match at any level", async () => {
    const tree = await treeOf(scratch(files), { excludePatterns: ["node_modules", "empty"] });
    expect(outline(tree.nodes)).toBe("a.txt src/ (b.ts lib/ (c.ts))");
    expect(tree.truncated).toBe(false);
  });

  test("with a star match from the folder on", async () => {
    const tree = await treeOf(scratch(files), { excludePatterns: ["*.txt", "*.ts", "src/l*", "**/node_*"] });
    expect(outline(tree.nodes)).toBe("empty/ () src/ (b.ts)");
  });
});

describe("bounds", () => {
  test("maxDepth: directories at the last level say that they are not gone through", async () => {
    const place = scratch(files);
    const one = await treeOf(place, { maxDepth: 1 });
    expect(outline(one.nodes)).toBe("a.txt empty/ (…) node_modules/ (…) src/ (…)");
    expect(one).toMatchObject({ truncated: true, omitted: { entries: 0, directories: 3 }, entries: 4 });
    expect(treeText(one)).toContain('"children": [],\n    "truncated": true');
    const two = await treeOf(place, { maxDepth: 2 });
    expect(outline(two.nodes)).toBe("a.txt empty/ () node_modules/ (x/ (…)) src/ (b.ts lib/ (…) node_modules/ (…))");
    const all = await treeOf(place, { maxDepth: 3 });
    expect(all).toMatchObject({ truncated: false, entries: 11 });
  });

  test("maxEntries: upper levels first, the rest counted as far as it was met", async () => {
    const place = scratch(files);
    const tree = await treeOf(place, { maxEntries: 6 });
    expect(outline(tree.nodes)).toBe("a.txt empty/ () node_modules/ (x/ (…)) src/ (b.ts …)");
    expect(tree).toMatchObject({ entries: 6, truncated: true, omitted: { entries: 2, directories: 2 } });
    expect(treeNotice(tree)).toContain("cut at 6 entries; 2 more were met; 2 directories are not shown in full");
    expect(treeNotice(await treeOf(place))).toBeUndefined();
    expect(await treeOf(place, { maxEntries: 11 })).toMatchObject({ entries: 11, truncated: false });
    expect(await treeOf(place, { maxEntries: 10 })).toMatchObject({ entries: 10, truncated: true });
    const none = await treeOf(place, { maxEntries: 0 });
    expect(none).toMatchObject({ nodes: [], entries: 0, truncated: true, omitted: { entries: 4 } });
  });

  test("maxBytes: the reply stays below it", async () => {
    const place = scratch(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`d${i % 7}/${"\u0001".repeat(100)}${i}`, ""])));
    const tree = await treeOf(place, { maxBytes: 50_000 });
    const text = treeText(tree);
    expect(tree.truncated).toBe(true);
    const reply = JSON.stringify({ content: [{ type: "text", text }], structuredContent: { content: text } });
    expect(Buffer.byteLength(reply)).toBeLessThan(50_000);
    expect(Buffer.byteLength(reply)).toBeGreaterThan(30_000);
  });
});

describe("links and odd things", () => {
  test("PATH-07 PATH-14 links are shown as links and not entered, inside or out", async () => {
    const tree = await treeOf(scratch({ "a/b/up": { link: "../.." }, d: { link: "OUT" }, "a/b/f": "" }));
    expect(outline(tree.nodes)).toBe("a/ (b/ (f up)) d");
    expect(tree.nodes[1]).toEqual({ name: "d", type: "symlink" });
    expect(treeText(tree)).not.toContain("secret");
  });

  test("PATH-36 pipes are shown, nothing waits for them", needs("named pipes"), async () => {
    const place = scratch();
    execFileSync("mkfifo", [place.at("p")]);
    expect((await treeOf(place)).nodes).toEqual([{ name: "p", type: "other" }]);
  });

  test("names with newlines and direction marks stay inside their JSON string", async () => {
    const place = scratch({ 'x"\n\u202ey': "" });
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from("caf\xe9", "latin1")]), "");
    const tree = await treeOf(place);
    const text = treeText(tree);
    expect(JSON.parse(text)).toEqual(tree.nodes);
    expect(tree.nodes.map((node) => node.name)).toEqual(["caf\\xE9", 'x"\n\u202ey']);
    expect(text).not.toContain("\u202e");
  });

  test("denied names are hidden", async () => {
    const place = scratch({ ".env": "", "secret/x": "", ok: "" });
    const tree = await folderTree(await place.area({ deny: [".env", "secret"] }), place.root);
    expect(outline(tree.nodes)).toBe("ok");
    expect(tree.truncated).toBe(false);
  });
});
