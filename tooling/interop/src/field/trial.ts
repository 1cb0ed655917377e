// One trial: a client takes all steps against a server over a transport.
import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { tempFolder } from "@oarlock/testing";
import { CLOSE_MS, Course, type Outcome, type ServerEnd } from "./course.ts";
import type { FieldClient, Over, Step } from "./field-client.ts";
import type { ServerCase } from "./server-cases.ts";

export interface Trial {
  readonly client: Pick<FieldClient, "name" | "kind" | "cannot">;
  readonly server: ServerCase["server"];
  readonly over: Over;
  readonly outcomes: Readonly<Record<Step, Outcome>>;
  /** The revision that client and server use; undefined over HTTP, where nothing is recorded. */
  readonly revision: string | undefined;
  /** How long the long call took; undefined where there was none. */
  readonly longCallMs: number | undefined;
}

const RECORDER = fileURLToPath(new URL("recorded-server.ts", import.meta.url));

export async function tryClient(client: FieldClient, one: ServerCase, over: Over): Promise<Trial> {
  await using place = tempFolder({ repo: {}, home: {}, state: {} });
  const folder = place.at("repo");
  const course = new Course({ client, one, folder, home: place.at("home") });
  const args = builtServer(one.server, ...one.prepare(folder));
  const env = { PATH: process.env["PATH"] ?? "", HOME: place.at("state"), XDG_STATE_HOME: place.at("state") };
  let revision: string | undefined;
  if (over === "stdio") {
    const report = place.at("report.json");
    await course.run({ over, command: process.execPath, args: [RECORDER, report, process.execPath, ...args], env });
    const end = await endOf(report);
    revision = end?.revision;
    course.ended(end);
  } else {
    const listening = await startOverHttp({ command: process.execPath, args, env });
    await course.run({ over, url: listening.url.href });
    course.ended(await listening.terminate());
  }
  const { outcomes, longCallMs } = course;
  return { client, server: one.server, over, outcomes, revision, longCallMs };
}

interface Report extends ServerEnd {
  readonly revision?: string;
}

/** What the recorder wrote; undefined when the server still runs after a while. */
async function endOf(report: string): Promise<Report | undefined> {
  for (let tries = 0; tries < CLOSE_MS / 100 && !existsSync(report); tries++) await setTimeout(100);
  if (!existsSync(report)) return undefined;
  return JSON.parse(readFileSync(report, "utf8")) as Report; // written by the recorder
}
