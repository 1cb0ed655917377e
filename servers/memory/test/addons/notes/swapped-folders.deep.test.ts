// A hostile program that exchanges a folder of notes for a link as fast as it can (L5, PATH-43): nothing outside is read or written.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { needs, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { NoteFolder } from "../../../src/addons/notes/note-folder.ts";

const SWAPPER = fileURLToPath(new URL("../../../../filesystem/test/cases/fixtures/swapper.ts", import.meta.url));
const ROUNDS = 8000;
const SECRET = "secret of another folder";

async function swapping(name: string, target: string, work: () => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [SWAPPER, name, target], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    await work();
  } finally {
    child.kill("SIGKILL");
  }
}

describe("a folder that is exchanged for a link", needs("Linux"), () => {
  test(`does not lead outside in ${ROUNDS} rounds of reads, writes and removals`, async () => {
    await using folder = tempFolder();
    const [notes, outside] = [folder.at("notes"), folder.at("outside")];
    mkdirSync(folder.at("notes/d"), { recursive: true });
    mkdirSync(outside);
    writeFileSync(folder.at("notes/d/a.md"), "inside");
    writeFileSync(folder.at("outside/a.md"), SECRET);
    const before = readdirSync(outside);
    const opened = await NoteFolder.open(notes);
    const done = { reads: 0, writes: 0, refused: 0 };
    await swapping(folder.at("notes/d"), outside, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        try {
          if (round % 2 === 0) {
            expect(await opened.read("d/a.md")).not.toBe(SECRET);
            done.reads++;
          } else {
            const stamp = opened.stampOf("d/a.md");
            if (await opened.write("d/a.md", "inside", stamp)) done.writes++;
            if (round % 3 === 0 && (await opened.remove("d/a.md", opened.stampOf("d/a.md") ?? "none")))
              await opened.write("d/a.md", "inside", undefined);
          }
        } catch (error) {
          if (error instanceof Error && "matcherResult" in error) throw error;
          done.refused++;
        }
      }
    });
    expect(readdirSync(outside)).toEqual(before);
    expect(readFileSync(folder.at("outside/a.md"), "utf8")).toBe(SECRET);
    expect(Math.min(done.reads, done.writes, done.refused)).toBeGreaterThan(0);
    const trash = folder.at("notes/.trash");
    const removed = existsSync(trash) ? readdirSync(trash) : [];
    for (const name of removed) expect(readFileSync(`${trash}/${name}`, "utf8")).toBe("inside");
  });
});
