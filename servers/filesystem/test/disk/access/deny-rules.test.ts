// What --deny hides, and from where a glob is meant.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alsoHiding, compileDeny, deniesNothing } from "../../../src/disk/access/deny-rules.ts";
import { listFolder } from "../../../src/disk/tree/listing.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { windowsPaths } from "../../../src/disk/access/path-syntax.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { refuses, world } from "../support/world.ts";
import { allActs } from "../support/operations.ts";

test.each([
  ["a name anywhere", ".env", ["/r/.env", "/r/a/.env", "/r/a/.env/x/y"], ["/r/.envx", "/r/a", "/r"]],
  ["a name with a star", "*.pem", ["/r/a.pem", "/r/b/.pem", "/r/b/c.pem/x"], ["/r/a.pem2"]],
  ["from each allowed directory", "a/b", ["/r/a/b", "/r/a/b/c", "/s/a/b"], ["/r/x/a/b", "/r/a", "/a/b", "/r/a/bc"]],
  ["the same, spelled otherwise", "././a//b/", ["/r/a/b/c"], ["/r/x/a/b"]],
  ["what lies below", "a/**", ["/r/a/b", "/r/a/b/c"], ["/r/a"]],
  ["at any depth", "**/a/*.ts", ["/r/a/x.ts", "/r/b/c/a/x.ts"], ["/r/a/b/x.ts"]],
  ["from the root of the file system", "/r/a", ["/r/a", "/r/a/b/c"], ["/r/r/a", "/r/ab", "/s/r/a", "/r"]],
  ["a root itself", "/r", ["/r", "/r/a"], ["/s/a"]],
  ["absolute with stars", "/*/a/**/x", ["/r/a/x", "/s/a/b/c/x/y"], ["/r/b/x"]],
  ["doubled slashes", "//r//a", ["/r/a/x"], ["/r/b"]],
  ["braces", "{.env,*.key}", ["/r/a/.env", "/r/x.key"], ["/r/env"]],
  ["a name like a remark", "#x/y", ["/r/#x/y"], ["/r/x/y"]],
  ["an absolute name like a remark", "/#x", ["/#x/y"], ["/r/#x"]],
  ["an absolute name like an exclamation", "/!x/y", ["/!x/y/z"], ["/r/a", "/x/y"]],
])("decides on %s: %s", (_, glob, hidden, shows) => {
  const denies = compileDeny([glob]);
  const roots = ["/r", "/s"];
  // Twice, since folders are remembered.
  for (let i = 0; i < 2; i += 1) {
    expect(hidden.filter((path) => !denies(path, roots))).toEqual([]);
    expect(shows.filter((path) => denies(path, roots))).toEqual([]);
  }
});

test("accepts ~ for the home directory", () => {
  expect(compileDeny(["~/.ssh"])(join(homedir(), ".ssh/id"), ["/"])).toBe(true);
  expect(compileDeny(["~/.ssh"])("/r/~/.ssh", ["/r"])).toBe(false);
  expect(compileDeny(["~"])(join(homedir(), "x"), ["/"])).toBe(true);
  expect(compileDeny(["a~/b"])("/r/a~/b", ["/r"])).toBe(true);
});

test.each(["", " ", "!a", "./!a", "/", "//", "..", "../a", "a/../b", "a/./b", "/../a", "{/a,b}", "a/{..,b}", "."])(
  "refuses %j, which would hide nothing or all but one",
  (glob) => {
    expect(() => compileDeny(["fine", glob])).toThrow(
      expect.objectContaining({ code: "invalid", message: expect.stringContaining("Invalid glob in --deny") as string }) as Error,
    );
  },
);

test("hides in nested roots what one of them hides", () => {
  const denies = compileDeny(["in/x", "top"]);
  const roots = ["/r", "/r/in"];
  expect(denies("/r/in/x", roots)).toBe(true);
  expect(denies("/r/in/in/x", roots)).toBe(true);
  expect(denies("/r/in/top", roots)).toBe(true);
  expect(denies("/r/x", roots)).toBe(false);
  expect(compileDeny(["in"])("/r/in/f", roots)).toBe(true);
  expect(denies("/x/in/x", ["/"])).toBe(false);
  expect(denies("/in/x", ["/"])).toBe(true);
});

test("ignores case and the kind of slash on Windows", () => {
  const denied = (glob: string, path: string) => compileDeny([glob], windowsPaths)(path, ["C:\\Data"]);
  for (const glob of [".ENV", "a\\.env", "A/.env", "c:\\data\\A\\.env", "C:/Data/**/.Env", "\\data\\a\\.env"]) {
    expect(denied(glob, "C:\\Data\\a\\.env"), glob).toBe(true);
    expect(denied(glob, "c:\\data/A\\.Env/x"), glob).toBe(true);
    expect(denied(glob, "C:\\Data\\a\\env"), glob).toBe(false);
  }
  expect(compileDeny(["\\\\host\\share\\x"], windowsPaths)("\\\\host\\share\\x\\f", [])).toBe(true);
});

test("hides the same by roots and globs spelled by a link", async () => {
  const { base, root, open } = world();
  for (const name of ["a/secret", "b", "later"]) mkdirSync(join(root, name), { recursive: true });
  for (const name of ["a/secret/f", "b/f", "plain.txt"]) writeFileSync(join(root, name), "canary-");
  symlinkSync(root, join(base, "link"));
  symlinkSync("a", join(root, "to-a"));
  symlinkSync("a/secret/f", join(root, "to-f"));
  for (const spelled of [root, join(base, "link")]) {
    const directories = [{ path: spelled, readOnly: false }];
    const deny = ["a/secret", `${root}/a/secret`, `${base}/link/a/secret`, `${base}/link/a/s*`, `${base}/link/to-a/secret`, "secret"];
    for (const glob of deny) {
      const sandbox = await open({ directories, deny: [glob] });
      for (const path of ["a/secret/f", "to-a/secret/f", "to-f", `${root}/a/secret/f`, `${base}/link/a/secret/f`, "a/secret"]) {
        if (path === `${base}/link/a/secret/f` && spelled === root) continue;
        await refuses("denied", ...allActs(sandbox, path));
      }
      expect((await readText(sandbox, "b/f")).content).toBe("canary-");
      expect((await listFolder(sandbox, "a")).entries).toEqual([]);
    }
    const sandbox = await open({ directories, deny: [`${base}/link/later/x`] });
    await refuses("denied", () => makeFolder(sandbox, "later/x"));
  }
});

test("hides everything below a hidden path, and nothing in a directory around one", () => {
  const { base, root } = world();
  const denies = alsoHiding(
    compileDeny(["secret"]),
    [join(root, "store"), join(root, "later/new"), base],
    [{ real: join(base, "other") }, { real: root }],
  );
  const hidden = ["store", "store/x", "later/new", "later/new/x", "secret", "a/secret"];
  const visible = ["storey", "later", "a"];
  expect([...hidden, ...visible].filter((path) => denies(join(root, path), [root]))).toEqual(hidden);
  expect(alsoHiding(deniesNothing, [base], [{ real: root }])).toBe(deniesNothing);
  // Also where the way to it is a link, and it does not exist yet.
  symlinkSync(root, join(base, "link"));
  expect(alsoHiding(deniesNothing, [join(base, "link/later/new")], [{ real: root }])(join(root, "later/new/x"), [root])).toBe(true);
});

test.each(["shortcut", "a/shortcut", "**/shortcut", "a/short*"])(
  "hides a link named by %s below a root that is given by a link",
  async (glob) => {
    const { base, root, open } = world();
    mkdirSync(join(root, "a"));
    mkdirSync(join(root, "public"));
    writeFileSync(join(root, "public/f"), "canary-");
    symlinkSync("../public", join(root, "a/shortcut"));
    symlinkSync("ROOT", join(base, "link"));
    for (const spelled of [root, join(base, "link")]) {
      const sandbox = await open({ directories: [{ path: spelled, readOnly: false }], deny: [glob] });
      for (const path of [
        `${spelled}/a/shortcut/f`,
        `${root}/a/shortcut/f`,
        "a/shortcut/f",
        `${spelled}/a/shortcut`,
        `${spelled}/a//shortcut/f`,
      ])
        await refuses("denied", ...allActs(sandbox, path));
      // The same content under its own name is not hidden.
      expect((await readText(sandbox, `${spelled}/public/f`)).content).toBe("canary-");
    }
  },
);

test.each(["odd [x]", "{a,b}", "star*", "what?", "(a|b)", "!not", "+(a)", "#x", "back\\slash", "@(a)", "$&"])(
  "hides the target of a glob through a link with the name %j",
  async (name) => {
    const { base, root, open } = world();
    mkdirSync(join(root, name));
    mkdirSync(join(root, name, "secret"));
    writeFileSync(join(root, name, "secret/f"), "canary-");
    writeFileSync(join(root, name, "open"), "canary-");
    symlinkSync(join("ROOT", name), join(base, "to"));
    for (const glob of [`${base}/to/secret`, `${base}/to/sec*`, `${base}/to/{secret,other}`]) {
      const sandbox = await open({ deny: [glob] });
      await refuses("denied", ...allActs(sandbox, `${root}/${name}/secret/f`), ...allActs(sandbox, `${name}/secret`));
      expect((await readText(sandbox, `${root}/${name}/open`)).content).toBe("canary-");
    }
  },
);

test("reads glob characters of the home directory literally", () => {
  const { HOME } = process.env;
  process.env["HOME"] = "/home/odd [x]{a,b}*";
  try {
    expect(compileDeny(["~/.ssh"])("/home/odd [x]{a,b}*/.ssh/id", ["/"])).toBe(true);
    expect(compileDeny(["~/.ssh"])("/home/odd xa/.ssh/id", ["/"])).toBe(false);
  } finally {
    if (HOME === undefined) delete process.env["HOME"];
    else process.env["HOME"] = HOME;
  }
});
