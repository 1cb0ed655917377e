import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { folderTree, treeNotice, treeText, type TreeNode, type TreeOptions } from "../../../src/disk/tree/directory-tree.ts";
import { scratch, type Scratch } from "../support/scratch.ts";

async function treeOf(place: Scratch, options: TreeOptions = {}) {
  return folderTree(await place.sandbox(), place.root, options);
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

test("returns the official shape: children on directories only, in the system's order", async () => {
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

test("returns an empty list for an empty folder", async () => {
  expect(treeText(await treeOf(scratch()))).toBe("[]");
});

describe("exclude patterns", () => {
  test("match at any level without a star", async () => {
    const tree = await treeOf(scratch(files), { excludePatterns: ["node_modules", "empty"] });
    expect(outline(tree.nodes)).toBe("a.txt src/ (b.ts lib/ (c.ts))");
    expect(tree.truncated).toBe(false);
  });

  test("match from the folder on with a star", async () => {
    const tree = await treeOf(scratch(files), { excludePatterns: ["*.txt", "*.ts", "src/l*", "**/node_*"] });
    expect(outline(tree.nodes)).toBe("empty/ () src/ (b.ts)");
  });
});

describe("bounds of a tree", () => {
  test("marks directories at maxDepth as not entered", async () => {
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

  test("fills upper levels first up to maxEntries, and counts the rest as far as seen", async () => {
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

  test("keeps the reply below maxBytes", async () => {
    const place = scratch(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`d${i % 7}/${"\u0001".repeat(100)}${i}`, ""])));
    const tree = await treeOf(place, { maxBytes: 50_000 });
    const text = treeText(tree);
    expect(tree.truncated).toBe(true);
    const reply = JSON.stringify({ content: [{ type: "text", text }], structuredContent: { content: text } });
    expect(Buffer.byteLength(reply)).toBeLessThan(50_000);
    expect(Buffer.byteLength(reply)).toBeGreaterThan(30_000);
  });
});

describe("links and special files", () => {
  test("PATH-07 PATH-14 shows links as links without entering them, inside or out", async () => {
    const tree = await treeOf(scratch({ "a/b/up": { link: "../.." }, d: { link: "OUT" }, "a/b/f": "" }));
    expect(outline(tree.nodes)).toBe("a/ (b/ (f up)) d");
    expect(tree.nodes[1]).toEqual({ name: "d", type: "symlink" });
    expect(treeText(tree)).not.toContain("secret");
  });

  test("PATH-36 shows pipes without waiting for them", needs("named pipes"), async () => {
    const place = scratch();
    execFileSync("mkfifo", [place.at("p")]);
    expect((await treeOf(place)).nodes).toEqual([{ name: "p", type: "other" }]);
  });

  test("keeps newlines and direction marks of names inside their JSON string", async () => {
    const place = scratch({ 'x"\n\u202ey': "" });
    writeFileSync(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from("caf\xe9", "latin1")]), "");
    const tree = await treeOf(place);
    const text = treeText(tree);
    expect(JSON.parse(text)).toEqual(tree.nodes);
    expect(tree.nodes.map((node) => node.name)).toEqual(["caf\\xE9", 'x"\n\u202ey']);
    expect(text).not.toContain("\u202e");
  });

  test("hides denied names", async () => {
    const place = scratch({ ".env": "", "secret/x": "", ok: "" });
    const tree = await folderTree(await place.sandbox({ deny: [".env", "secret"] }), place.root);
    expect(outline(tree.nodes)).toBe("ok");
    expect(tree.truncated).toBe(false);
  });
});
