/** What a suite is, and what all of them share. */
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Message, Start } from "../client.ts";
import type { Figures } from "../figures.ts";
import type { Era } from "../http/modes.ts";
import type { Kind, Target } from "../target.ts";

export interface How {
  quick: boolean;
  /** Figures that are wanted; the work for others may be left out. */
  wanted(figure: string): boolean;
  /** Tells of something that failed while the rest could be measured. */
  problem(text: string): void;
}

export interface Suite {
  about: string;
  kinds: readonly Kind[];
  /** Left out where the suite measures all, or none in particular. */
  era?: Era;
  rounds: number;
  quickRounds: number;
  measure(target: Target, how: How): Promise<Figures>;
}

export const ALL: readonly Kind[] = ["echo", "filesystem", "git", "sqlite", "memory", "any"];
export const ECHO: readonly Kind[] = ["echo", "any"];
export const HTTP: readonly Kind[] = ["http", "any"];

export const KIB = 1024;
export const MIB = 1024 * KIB;

/** What to start, with the folder to serve. */
export function filled({ command, env = {} }: Target, folder: string): Start {
  const fill = (word: string): string => word.replaceAll("{dir}", folder);
  return { command: command.map(fill), env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])) };
}

/** Whether a suite can measure a target. */
export const fits = ({ kinds, era }: Pick<Suite, "kinds" | "era">, target: Target): boolean =>
  kinds.includes(target.kind) && (era === undefined || speaks(target, era));

/** Whether a target is for an era; those by hand are taken to speak all. */
export const speaks = (target: Target, era: Era): boolean => target.eras === undefined || target.eras.includes(era);

/** An empty folder for the time of `work`, where temporary files are by default. */
export async function inScratch<T>(work: (folder: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  using folder = mkdtempDisposableSync(join(parent, "oarlock-bench-"));
  return await work(folder.path);
}

export const echoCall = (bytes: number) => ({ name: "echo", arguments: { message: "x".repeat(bytes) } });

/** All text blocks: some servers put notes in blocks of their own, before or after the data. */
export const textOf = ({ result }: Message): string => (result?.content ?? []).map(({ text = "" }) => text).join("\n");

/** The first text, without what a server says about it in further ones. */
export const firstTextOf = ({ result }: Message): string => result?.content?.[0]?.text ?? "";

/** Throws unless the call has gone well. */
export function succeeded(message: Message): Message {
  if (message.error !== undefined || message.result === undefined || message.result.isError === true) {
    throw new Error(`refused: ${JSON.stringify(message).slice(0, 240)}`);
  }
  return message;
}

export const sleep = (ms: number): Promise<void> => setTimeout(ms);
