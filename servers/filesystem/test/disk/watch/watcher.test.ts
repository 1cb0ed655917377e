// Subscriptions to files and folders: which changes are notified, which never are, and what is shared and bounded.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { established, listen, NO_LOOKS, sentinels, watching } from "../support/watching.ts";
import { until } from "../support/until.ts";

// Most of the time here is waiting.
vi.setConfig({ maxConcurrency: 40 });

describe.concurrent("notifies of", () => {
  test("a write right after the subscription, and the next ones", async (context) => {
    const { place, watcher } = watching(context, { f: "1" });
    const file = listen(watcher, await place.sandbox(), place.at("f"));
    await file.hears("write", () => writeFileSync(place.at("f"), "2"));
    for (let i = 0; i < 3; i++) await file.hears(`append ${i}`, () => appendFileSync(place.at("f"), "x"));
  });

  test("a change by another program, even one that keeps size and time", async (context) => {
    const { place, watcher } = watching(context, { f: "1" });
    utimesSync(place.at("f"), 1000, 1000);
    const file = listen(watcher, await place.sandbox(), place.at("f"));
    await file.hears("printf", () => execFileSync("sh", ["-c", `printf 2 > '${place.at("f")}'; touch -d @1000 '${place.at("f")}'`]));
  });

  test.for([
    ["by the system's watchers only", NO_LOOKS],
    ["by checks too", undefined],
  ] as const)("a replacement by rename, a deletion and a new file, %s", async ([, options], context) => {
    const { place, watcher } = watching(context, { f: "1", g: "2" }, options);
    const file = listen(watcher, await place.sandbox(), place.at("f"));
    await established(watcher, 1);
    await file.hears("rename over it", () => renameSync(place.at("g"), place.at("f")));
    await file.hears("write into the new one", () => appendFileSync(place.at("f"), "3"));
    await file.hears("delete", () => unlinkSync(place.at("f")));
    await file.hears("make again", () => writeFileSync(place.at("f"), "4"));
    await file.hears("write again", () => writeFileSync(place.at("f"), "55"));
  });

  test("the creation of a missing path and of its folders", async (context) => {
    const { place, watcher } = watching(context);
    const sandbox = await place.sandbox();
    const near = listen(watcher, sandbox, place.at("new.txt"));
    const far = listen(watcher, sandbox, place.at("a/b/c.txt"));
    await near.hears("created", () => writeFileSync(place.at("new.txt"), ""));
    await far.hears("created with its folders", () => {
      mkdirSync(place.at("a/b"), { recursive: true });
      writeFileSync(place.at("a/b/c.txt"), "");
    });
    await far.hears("changed", () => writeFileSync(place.at("a/b/c.txt"), "1"));
  });

  test("added, removed and changed entries of a folder", async (context) => {
    const { place, watcher } = watching(context, { "d/old": "" });
    const folder = listen(watcher, await place.sandbox(), place.at("d"));
    await established(watcher, 1);
    await folder.hears("add", () => writeFileSync(place.at("d/new"), ""));
    await folder.hears("write", () => writeFileSync(place.at("d/new"), "content"));
    await folder.hears("remove", () => unlinkSync(place.at("d/old")));
    await folder.hears("new folder", () => mkdirSync(place.at("d/sub")));
  });

  test("a replaced folder, and its entries", async (context) => {
    const { place, watcher } = watching(context, { "d/old": "" });
    const folder = listen(watcher, await place.sandbox(), place.at("d"));
    await established(watcher, 1);
    await folder.hears("replaced by another folder", () => {
      renameSync(place.at("d"), place.at("was"));
      mkdirSync(place.at("d"));
    });
    await folder.hears("add in the other folder", () => writeFileSync(place.at("d/x"), ""));
  });

  test("a changed target behind a link inside, and a retargeted link", async (context) => {
    const { place, watcher } = watching(context, { "v1/f": "1", "v2/f": "2", cur: { link: "v1" }, short: { link: "v1/f" } });
    const sandbox = await place.sandbox();
    const through = listen(watcher, sandbox, place.at("cur/f"));
    const link = listen(watcher, sandbox, place.at("short"));
    const both = (what: string, change: () => void) => Promise.all([through.hears(what, change), link.hears(what, () => {})]);
    await both("target", () => writeFileSync(place.at("v1/f"), "11"));
    await both("turned", () => {
      for (const [name, target] of [
        ["cur", "v2"],
        ["short", "v2/f"],
      ] as const) {
        symlinkSync(target, place.at("next"));
        renameSync(place.at("next"), place.at(name));
      }
    });
    await both("new target", () => writeFileSync(place.at("v2/f"), "222"));
  });

  test("no outside path for a name with a backslash, which the watching library reads as a slash", async (context) => {
    const name = "x\\..\\..\\out\\secret.txt";
    const { place, watcher } = watching(context, { [name]: "1" });
    const file = listen(watcher, await place.sandbox(), place.at(name));
    const settled = await sentinels(context, watcher);
    writeFileSync(`${place.out}/secret.txt`, "other");
    await settled();
    expect(file.count).toBe(0);
    await file.hears("its own change", () => writeFileSync(place.at(name), "2"));
  });

  test.for(["notes~", ".x.swp", "a.subl1.tmp"])("a change of %s, a name that editors use for their own", async (name, context) => {
    const { place, watcher } = watching(context, { [name]: "1" }, NO_LOOKS);
    const file = listen(watcher, await place.sandbox(), place.at(name));
    await established(watcher, 1);
    await file.hears("write", () => writeFileSync(place.at(name), "2"));
  });
});

describe.concurrent("never notifies", () => {
  test("after stop, even a change before it", async (context) => {
    const { place, watcher } = watching(context, { f: "1" });
    const file = listen(watcher, await place.sandbox(), place.at("f"));
    await established(watcher, 1);
    const { watcher: another } = watching(context);
    const settled = await sentinels(context, another);
    writeFileSync(place.at("f"), "2");
    file.stop();
    writeFileSync(place.at("f"), "3");
    await settled();
    expect(file.count).toBe(0);
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
    file.stop();
  });

  test("without a change", async (context) => {
    const { place, watcher } = watching(context, { f: "1", "d/x": "" });
    const sandbox = await place.sandbox();
    const all = ["f", "d", "none", ""].map((name) => listen(watcher, sandbox, place.at(name)));
    const settled = await sentinels(context, watcher);
    for (let round = 0; round < 3; round++) await settled();
    expect(all.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
  });

  test("of a file's neighbours, or of changes below a folder's folders", async (context) => {
    const { place, watcher } = watching(context, { "a/f": "1", "a/b/deep": "" });
    const sandbox = await place.sandbox();
    const all = ["a/f", "a/none", ""].map((name) => listen(watcher, sandbox, place.at(name)));
    await established(watcher, 3);
    const settled = await sentinels(context, watcher);
    writeFileSync(place.at("a/neighbour"), "");
    writeFileSync(place.at("a/b/deep"), "changed");
    await settled();
    expect(all.map(({ count }) => count)).toEqual([0, 0, 0]);
  });

  test("of denied paths", async (context) => {
    const { place, watcher } = watching(context, { ".env": "1", "d/.env": "1", "d/f": "" });
    const sandbox = await place.sandbox({ deny: ["**/.env"] });
    expect(() => watcher.watch(sandbox, place.at(".env"), () => {})).toThrow(/Access denied/);
    const folder = listen(watcher, sandbox, place.at("d"));
    await established(watcher, 1);
    const settled = await sentinels(context, watcher);
    writeFileSync(place.at("d/.env"), "2");
    unlinkSync(place.at("d/.env"));
    writeFileSync(place.at("d/.env"), "3");
    await settled();
    expect(folder.count).toBe(0);
    await folder.hears("something shown", () => writeFileSync(place.at("d/f"), "1"));
  });

  test("of paths outside", async (context) => {
    const { place, watcher } = watching(context, { l: { link: "OUT/secret.txt" }, dir: { link: "OUT" }, new: { link: "OUT/created" } });
    const sandbox = await place.sandbox();
    const inside = ["l", "dir", "dir/secret.txt", "new"].map(place.at);
    for (const path of [...inside, place.out, `${place.out}/none`, "/etc/passwd", `${place.root}/../out`]) {
      expect(() => watcher.watch(sandbox, path, () => {})).toThrow(/Access denied/);
    }
    expect(() => watcher.watch(sandbox, place.at("a\0b"), () => {})).toThrow(/NUL/);
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
  });

  test("of paths outside behind a link that replaced a watched folder", async (context) => {
    const { place, watcher } = watching(context, { "d/f": "1" });
    const sandbox = await place.sandbox();
    const folder = listen(watcher, sandbox, place.at("d"));
    const file = listen(watcher, sandbox, place.at("d/f"));
    await established(watcher, 2);
    const settled = await sentinels(context, watcher);
    const both = (what: string, change: () => void) => Promise.all([folder.hears(what, change), file.hears(what, () => {})]);
    await both("gone", () => {
      renameSync(place.at("d"), place.at("was"));
      symlinkSync(place.out, place.at("d"));
    });
    await settled();
    const before = [folder.count, file.count];
    writeFileSync(`${place.out}/f`, "1");
    writeFileSync(`${place.out}/secret.txt`, "2");
    await settled();
    expect([folder.count, file.count]).toEqual(before);
    await both("back", () => {
      unlinkSync(place.at("d"));
      renameSync(place.at("was"), place.at("d"));
    });
    await folder.hears("works again", () => writeFileSync(place.at("d/g"), ""));
  });
});

describe.concurrent("shares and bounds watchers", () => {
  test("by one watcher per path, closed with its last subscriber", async (context) => {
    const { place, watcher } = watching(context, { f: "1", g: "1" });
    const sandbox = await place.sandbox();
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
    const [a, b] = [listen(watcher, sandbox, place.at("f")), listen(watcher, sandbox, `${place.root}/./f`)];
    listen(watcher, sandbox, place.at("g"));
    await established(watcher, 2);
    a.stop();
    a.stop();
    expect(watcher).toMatchObject({ size: 2, watched: 2 });
    await b.hears("the other still hears", () => writeFileSync(place.at("f"), "2"));
    b.stop();
    expect(watcher).toMatchObject({ size: 1, watched: 1 });
    await watcher.close();
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
    expect(() => watcher.watch(sandbox, place.at("f"), () => {})).toThrow(/closing/);
  });

  test("G3 by a limit of subscriptions", async (context) => {
    const { place, watcher } = watching(context, { f: "1" }, { maxSubscriptions: 3 });
    const sandbox = await place.sandbox();
    const stops = [1, 2, 3].map(() => watcher.watch(sandbox, place.at("f"), () => {}));
    expect(() => watcher.watch(sandbox, place.at("f"), () => {})).toThrow(/Too many subscriptions: 3/);
    stops[0]?.();
    watcher.watch(sandbox, place.at("f"), () => {});
  });

  test("without harm from a listener that throws", async (context) => {
    const { place, watcher } = watching(context, { f: "1" });
    const sandbox = await place.sandbox();
    watcher.watch(sandbox, place.at("f"), () => {
      throw new Error("listener");
    });
    const other = listen(watcher, sandbox, place.at("f"));
    for (const text of ["2", "3"]) await other.hears(text, () => writeFileSync(place.at("f"), text));
  });

  test("also on a folder with very many entries", async (context) => {
    const { place, watcher } = watching(context, { "d/1": "", "d/2": "", "d/3": "" }, { lookMs: 20, maxNativeEntries: 2 });
    const folder = listen(watcher, await place.sandbox(), place.at("d"));
    const settled = await sentinels(context, watching(context).watcher);
    await settled();
    expect(watcher.watched).toBe(0);
    await folder.hears("added", () => writeFileSync(place.at("d/more"), ""));
  });
});

const systemWatches = (): number => process.getActiveResourcesInfo().filter((kind) => kind.includes("FSEvent")).length;

describe("releases everything", () => {
  test("K3 after a thousand short subscriptions", async (context) => {
    const { place, watcher } = watching(context, { f: "1", "d/x": "" });
    const sandbox = await place.sandbox();
    const before = systemWatches();
    for (let i = 0; i < 1000; i++) watcher.watch(sandbox, place.at(i % 2 ? "f" : "d"), () => {})();
    for (let i = 0; i < 20; i++) {
      const stop = watcher.watch(sandbox, place.at("d"), () => {});
      await established(watcher, 1);
      stop();
    }
    await watcher.close();
    await until("no watchers of the system", () => systemWatches() === before);
  });
});
