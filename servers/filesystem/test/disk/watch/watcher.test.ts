import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, renameSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test, type TestContext } from "vitest";
import type { Area } from "../../../src/disk/access/area.ts";
import { createWatcher, type Watcher, type WatcherOptions } from "../../../src/disk/watch/watcher.ts";
import { asOrdinaryUser } from "../support/ordinary-user.ts";
import { scratch } from "../support/scratch.ts";
import { SOURCES } from "../support/sources.ts";
import { until } from "../support/until.ts";

/** A folder and a watcher for one test; most tests run side by side. */
function setup({ onTestFinished }: TestContext, files: Parameters<typeof scratch>[0] = {}, options: WatcherOptions = {}) {
  const place = scratch(files, onTestFinished);
  const watcher = createWatcher(options);
  onTestFinished(() => watcher.close());
  return { place, watcher };
}

/** Only the watchers of the system give notice. */
const NO_LOOKS: WatcherOptions = { lookMs: 3_600_000 };
/** What is to be proved is that nothing comes: look often, so that it need not be waited for long. */
const OFTEN: WatcherOptions = { lookMs: 50 };
/** For such proofs: long enough for the system's watchers to stand, for several looks, and for a notice to be sent. */
const quiet = (ms = 600) => new Promise((resolve) => setTimeout(resolve, ms));

interface Listening {
  readonly count: number;
  /** Makes the change, and waits for a notice after it. */
  hears(what: string, change: () => void): Promise<void>;
  stop(): void;
}

function listen(watcher: Watcher, area: Area, path: string): Listening {
  let count = 0;
  const stop = watcher.watch(area, path, () => {
    count += 1;
  });
  return {
    get count() {
      return count;
    },
    async hears(what, change) {
      const before = count;
      change();
      await until(what, () => count > before);
    },
    stop,
  };
}

describe.concurrent("a notice within 3 seconds", () => {
  test("of a write right after the subscription, and of the next ones", async (context) => {
    const { place, watcher } = setup(context, { f: "1" });
    const file = listen(watcher, await place.area(), place.at("f"));
    await file.hears("write", () => writeFileSync(place.at("f"), "2"));
    for (let i = 0; i < 3; i++) await file.hears(`append ${i}`, () => appendFileSync(place.at("f"), "x"));
  });

  test("of a change by another program, also one that keeps size and time", async (context) => {
    const { place, watcher } = setup(context, { f: "1" });
    utimesSync(place.at("f"), 1000, 1000);
    const file = listen(watcher, await place.area(), place.at("f"));
    await file.hears("printf", () => execFileSync("sh", ["-c", `printf 2 > '${place.at("f")}'; touch -d @1000 '${place.at("f")}'`]));
  });

  test.for([
    ["by the system's watchers only", NO_LOOKS],
    ["as it comes", {}],
  ] as const)("of a replacement by rename, a deletion, and a new beginning, %s", async ([, options], context) => {
    const { place, watcher } = setup(context, { f: "1", g: "2" }, options);
    const file = listen(watcher, await place.area(), place.at("f"));
    await until("watched", () => watcher.watched === 1);
    await quiet(300);
    await file.hears("rename over it", () => renameSync(place.at("g"), place.at("f")));
    await file.hears("write into the new one", () => appendFileSync(place.at("f"), "3"));
    await file.hears("delete", () => unlinkSync(place.at("f")));
    await file.hears("make again", () => writeFileSync(place.at("f"), "4"));
    await file.hears("write again", () => writeFileSync(place.at("f"), "55"));
  });

  test("of what does not exist yet, also when its folders do not", async (context) => {
    const { place, watcher } = setup(context);
    const area = await place.area();
    const near = listen(watcher, area, place.at("new.txt"));
    const far = listen(watcher, area, place.at("a/b/c.txt"));
    await near.hears("created", () => writeFileSync(place.at("new.txt"), ""));
    await far.hears("created with its folders", () => {
      mkdirSync(place.at("a/b"), { recursive: true });
      writeFileSync(place.at("a/b/c.txt"), "");
    });
    await far.hears("changed", () => writeFileSync(place.at("a/b/c.txt"), "1"));
  });

  test("of a folder's entries coming, going and changing", async (context) => {
    const { place, watcher } = setup(context, { "d/old": "" });
    const folder = listen(watcher, await place.area(), place.at("d"));
    await quiet(300);
    await folder.hears("add", () => writeFileSync(place.at("d/new"), ""));
    await folder.hears("write", () => writeFileSync(place.at("d/new"), "content"));
    await folder.hears("remove", () => unlinkSync(place.at("d/old")));
    await folder.hears("new folder", () => mkdirSync(place.at("d/sub")));
    await folder.hears("replaced by another folder", () => {
      renameSync(place.at("d"), place.at("was"));
      mkdirSync(place.at("d"));
    });
    await folder.hears("add in the other folder", () => writeFileSync(place.at("d/x"), ""));
  });

  test("through a link that stays inside: of its target, and of a turn elsewhere", async (context) => {
    const { place, watcher } = setup(context, { "v1/f": "1", "v2/f": "2", cur: { link: "v1" }, short: { link: "v1/f" } });
    const area = await place.area();
    const through = listen(watcher, area, place.at("cur/f"));
    const link = listen(watcher, area, place.at("short"));
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

  test("of a name with a backslash, which the watching library would take for a slash, to outside", async (context) => {
    const name = "x\\..\\..\\out\\secret.txt";
    const { place, watcher } = setup(context, { [name]: "1" });
    const file = listen(watcher, await place.area(), place.at(name));
    await quiet(300);
    writeFileSync(`${place.out}/secret.txt`, "other");
    await quiet(1500);
    expect(file.count).toBe(0);
    await file.hears("its own change", () => writeFileSync(place.at(name), "2"));
  });

  test.for(["notes~", ".x.swp", "a.subl1.tmp"])("of %s, a name that editors use for their own", async (name, context) => {
    const { place, watcher } = setup(context, { [name]: "1" }, NO_LOOKS);
    const file = listen(watcher, await place.area(), place.at(name));
    await until("watched", () => watcher.watched === 1);
    await quiet(300);
    await file.hears("write", () => writeFileSync(place.at(name), "2"));
  });
});

describe.concurrent("never a notice", () => {
  test("after stop, even of a change before it", async (context) => {
    const { place, watcher } = setup(context, { f: "1" }, OFTEN);
    const file = listen(watcher, await place.area(), place.at("f"));
    await quiet(300);
    writeFileSync(place.at("f"), "2");
    file.stop();
    writeFileSync(place.at("f"), "3");
    await quiet();
    expect(file.count).toBe(0);
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
    file.stop();
  });

  test("without a change", async (context) => {
    const { place, watcher } = setup(context, { f: "1", "d/x": "" }, OFTEN);
    const area = await place.area();
    const all = ["f", "d", "none", ""].map((name) => listen(watcher, area, place.at(name)));
    await quiet(1500);
    expect(all.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
  });

  test("of the neighbours of a file, or of something below a folder's folders", async (context) => {
    const { place, watcher } = setup(context, { "a/f": "1", "a/b/deep": "" }, OFTEN);
    const area = await place.area();
    const all = ["a/f", "a/none", ""].map((name) => listen(watcher, area, place.at(name)));
    await quiet(300);
    writeFileSync(place.at("a/neighbour"), "");
    writeFileSync(place.at("a/b/deep"), "changed");
    await quiet();
    expect(all.map(({ count }) => count)).toEqual([0, 0, 0]);
  });

  test("of what is denied", async (context) => {
    const { place, watcher } = setup(context, { ".env": "1", "d/.env": "1", "d/f": "" }, OFTEN);
    const area = await place.area({ deny: ["**/.env"] });
    expect(() => watcher.watch(area, place.at(".env"), () => {})).toThrow(/Access denied/);
    const folder = listen(watcher, area, place.at("d"));
    await quiet(300);
    writeFileSync(place.at("d/.env"), "2");
    unlinkSync(place.at("d/.env"));
    writeFileSync(place.at("d/.env"), "3");
    await quiet();
    expect(folder.count).toBe(0);
    await folder.hears("something shown", () => writeFileSync(place.at("d/f"), "1"));
  });

  test("of what is outside", async (context) => {
    const { place, watcher } = setup(context, { l: { link: "OUT/secret.txt" }, dir: { link: "OUT" }, new: { link: "OUT/created" } });
    const area = await place.area();
    const inside = ["l", "dir", "dir/secret.txt", "new"].map(place.at);
    for (const path of [...inside, place.out, `${place.out}/none`, "/etc/passwd", `${place.root}/../out`]) {
      expect(() => watcher.watch(area, path, () => {})).toThrow(/Access denied/);
    }
    expect(() => watcher.watch(area, place.at("a\0b"), () => {})).toThrow(/NUL/);
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
  });

  test("of what is outside, where a link is put in the place of a watched folder", async (context) => {
    const { place, watcher } = setup(context, { "d/f": "1" }, OFTEN);
    const area = await place.area();
    const folder = listen(watcher, area, place.at("d"));
    const file = listen(watcher, area, place.at("d/f"));
    await quiet(300);
    const both = (what: string, change: () => void) => Promise.all([folder.hears(what, change), file.hears(what, () => {})]);
    await both("gone", () => {
      renameSync(place.at("d"), place.at("was"));
      symlinkSync(place.out, place.at("d"));
    });
    await quiet();
    const before = [folder.count, file.count];
    writeFileSync(`${place.out}/f`, "1");
    writeFileSync(`${place.out}/secret.txt`, "2");
    await quiet();
    expect([folder.count, file.count]).toEqual(before);
    await both("back", () => {
      unlinkSync(place.at("d"));
      renameSync(place.at("was"), place.at("d"));
    });
    await folder.hears("works again", () => writeFileSync(place.at("d/g"), ""));
  });
});

describe.concurrent("shared and bounded", () => {
  test("400 quick changes give fewer than 60 notices, and the last change is notified", async (context) => {
    const { place, watcher } = setup(context, { f: "0", "d/x": "" });
    const area = await place.area();
    const file = listen(watcher, area, place.at("f"));
    const folder = listen(watcher, area, place.at("d"));
    await quiet(300);
    for (let i = 1; i <= 400; i++) {
      writeFileSync(place.at("f"), String(i));
      writeFileSync(place.at(`d/n${i}`), "");
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    await Promise.all([
      file.hears("the last", () => writeFileSync(place.at("f"), "end")),
      folder.hears("the last", () => writeFileSync(place.at("d/end"), "")),
    ]);
    await quiet(1500);
    for (const { count } of [file, folder]) {
      expect(count).toBeGreaterThan(2);
      expect(count).toBeLessThan(60);
    }
  });

  test("one watcher per path, gone with its last subscriber; none without subscribers", async (context) => {
    const { place, watcher } = setup(context, { f: "1", g: "1" });
    const area = await place.area();
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
    const [a, b] = [listen(watcher, area, place.at("f")), listen(watcher, area, `${place.root}/./f`)];
    listen(watcher, area, place.at("g"));
    await until("watched", () => watcher.watched === 2);
    a.stop();
    a.stop();
    expect(watcher).toMatchObject({ size: 2, watched: 2 });
    await b.hears("the other still hears", () => writeFileSync(place.at("f"), "2"));
    b.stop();
    expect(watcher).toMatchObject({ size: 1, watched: 1 });
    await watcher.close();
    expect(watcher).toMatchObject({ size: 0, watched: 0 });
    expect(() => watcher.watch(area, place.at("f"), () => {})).toThrow(/closing/);
  });

  test("G3 the number of subscriptions", async (context) => {
    const { place, watcher } = setup(context, { f: "1" }, { maxSubscriptions: 3 });
    const area = await place.area();
    const stops = [1, 2, 3].map(() => watcher.watch(area, place.at("f"), () => {}));
    expect(() => watcher.watch(area, place.at("f"), () => {})).toThrow(/Too many subscriptions: 3/);
    stops[0]?.();
    watcher.watch(area, place.at("f"), () => {});
  });

  test("a listener that throws harms nobody", async (context) => {
    const { place, watcher } = setup(context, { f: "1" });
    const area = await place.area();
    watcher.watch(area, place.at("f"), () => {
      throw new Error("listener");
    });
    const other = listen(watcher, area, place.at("f"));
    for (const text of ["2", "3"]) await other.hears(text, () => writeFileSync(place.at("f"), text));
  });

  test("a folder with very many entries is still heard of", async (context) => {
    const { place, watcher } = setup(context, { "d/1": "", "d/2": "", "d/3": "" }, { maxNativeEntries: 2 });
    const folder = listen(watcher, await place.area(), place.at("d"));
    await quiet(300);
    expect(watcher.watched).toBe(0);
    await folder.hears("added", () => writeFileSync(place.at("d/more"), ""));
  });

  test.skipIf(process.platform === "win32")("a folder that cannot be read now is heard of when it can", async (context) => {
    const { place } = setup(context, { "closed/f": "" });
    expect(await asOrdinaryUser(place, "watch")).toEqual({ whileClosed: 0, onceOpen: true });
  });
});

describe("leaves nothing behind", () => {
  test("K3 a thousand subscriptions that come and go", async (context) => {
    const { place, watcher } = setup(context, { f: "1", "d/x": "" });
    const area = await place.area();
    for (let i = 0; i < 1000; i++) watcher.watch(area, place.at(i % 2 ? "f" : "d"), () => {})();
    for (let i = 0; i < 20; i++) {
      const stop = watcher.watch(area, place.at("d"), () => {});
      await quiet(20);
      stop();
    }
    await watcher.close();
    await until("no watchers of the system", () => !process.getActiveResourcesInfo().some((kind) => kind.includes("FSEvent")));
  });

  test("nothing keeps the process alive", (context) => {
    const { place } = setup(context, { f: "1", "d/x": "" });
    const source = (name: string) => JSON.stringify(fileURLToPath(new URL(`../../../src/disk/${name}`, import.meta.url)));
    const script = `
      import { openDisk } from ${source("disk.ts")};
      import { createWatcher } from ${source("watch/watcher.ts")};
      const root = ${JSON.stringify(place.root)};
      const area = (await openDisk({ directories: [{ path: root, readOnly: false }] })).area();
      const watcher = createWatcher();
      for (const name of ["f", "d", "none"]) watcher.watch(area, root + "/" + name, () => {});
      await new Promise((resolve) => setTimeout(resolve, 300));
      console.log("watching", watcher.watched);
    `;
    // A watcher that keeps the process alive runs into the timeout.
    const run = spawnSync(process.execPath, [...SOURCES, "--input-type=module-typescript", "--eval", script], {
      encoding: "utf8",
      timeout: 50_000,
    });
    expect(run).toMatchObject({ stderr: "", stdout: "watching 3\n", status: 0 });
  });
});
