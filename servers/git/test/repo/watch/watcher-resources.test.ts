// What subscriptions hold: places, which are limited, and watches of the operating system.
import { readdirSync, readFileSync } from "node:fs";
import { needs, tempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Watcher, type WatchTarget } from "../../../src/repo/watch/watcher.ts";

const MOST = 256;

const targetOf = (path: string, read: WatchTarget["read"] = async () => "state"): WatchTarget => ({ read, paths: () => [path] });

/** Watches of this process, as Linux lists them. */
const inotifyWatches = (): number =>
  readdirSync("/proc/self/fdinfo").reduce((sum, descriptor) => {
    try {
      return sum + readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8").split("\ninotify wd:").length - 1;
    } catch {
      return sum; // closed in the meantime
    }
  }, 0);

test("takes no subscription slot when the first state cannot be read", async () => {
  await using folder = tempFolder({ a: "a" });
  const watcher = new Watcher();
  const unreadable = targetOf(folder.path, () => Promise.reject(new Error("not a repository")));
  for (let tried = 0; tried <= MOST; tried += 1)
    await expect(watcher.watch(unreadable, () => undefined)).rejects.toThrow("not a repository");
  const stop = await watcher.watch(targetOf(folder.path), () => undefined);
  stop();
  await watcher.close();
});

test("limits subscriptions, and frees the slot of an ended one", async () => {
  await using folder = tempFolder({ a: "a" });
  const watcher = new Watcher();
  const target = targetOf(folder.at("none"));
  const ends: (() => void)[] = [];
  for (let count = 0; count < MOST; count += 1) ends.push(await watcher.watch(target, () => undefined));
  await expect(watcher.watch(target, () => undefined)).rejects.toThrow(/^Too many subscriptions: this server holds at most 256\./);
  ends[0]?.();
  await watcher.watch(target, () => undefined);
  await watcher.close();
});

test.each(["the subscription ends", "the watcher closes"])("stops watching files when %s", needs("Linux"), async (end) => {
  await using folder = tempFolder({ "a/b": "b", c: "c" });
  const before = inotifyWatches();
  const watcher = new Watcher();
  const stop = await watcher.watch(targetOf(folder.path), () => undefined);
  await waitUntil(inotifyWatches, (count) => count > before);
  if (end === "the subscription ends") stop();
  else await watcher.close();
  await waitUntil(inotifyWatches, (count) => count === before);
  await watcher.close();
});
