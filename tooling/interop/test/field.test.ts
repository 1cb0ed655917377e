// docs/clients.md and the installation behind it, as far as they can be checked without its gigabyte.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STEPS, type Step } from "../src/field/field-client.ts";
import { renderPage } from "../src/field/table.ts";
import type { Trial } from "../src/field/trial.ts";
import type { Outcome } from "../src/field/course.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const { dependencies } = JSON.parse(read("../field/package.json")) as { dependencies: Record<string, string> };

/** Installed because clients need them. */
const NO_CLIENTS = ["@langchain/core", "@mastra/core", "llamaindex", "zod"];

interface Row {
  readonly name: string;
  readonly version: string;
  readonly cells: readonly string[];
}

function rowsOf(page: string): Row[] {
  const [, table = ""] = page.split("| Client | Version |");
  const lines = table.split("\n\n", 1)[0]!.split("\n").slice(2);
  return lines.map((line) => {
    const [client = "", version = "", , , ...cells] = line.split(" | ");
    return { name: /`([^`]+)`$/.exec(client)![1]!, version, cells: cells.map((cell) => cell.replace(/ \|$/, "")) };
  });
}

const rows = rowsOf(read("../../../docs/clients.md"));

test("lists each installed client in its pinned version", () => {
  const clients = Object.entries(dependencies).filter(([name]) => !NO_CLIENTS.includes(name));
  expect(Object.fromEntries(rows.map(({ name, version }) => [name, version]))).toEqual(Object.fromEntries(clients));
});

test("has no failed or partial cell", () => {
  for (const { name, cells } of rows) {
    expect(cells, name).toHaveLength(STEPS.length);
    for (const cell of cells) expect(cell, name).toMatch(/^(no|4 of 4|8 of 8)$/);
  }
});

test("gives a reason for each no", () => {
  const [, reasons = ""] = read("../../../docs/clients.md").split("## What clients cannot do");
  for (const { name, cells } of rows) {
    const missing = STEPS.filter((_, at) => cells[at] === "no");
    const given = reasons.split("\n").filter((line) => line.startsWith(`| \`${name}\` |`));
    for (const step of missing)
      expect(
        given.some((line) => line.split(" | ")[1]!.split(", ").includes(step)),
        `${name}: ${step}`,
      ).toBe(true);
  }
});

test("installs without scripts and without packages of the last three days", () => {
  const settings = read("../field/pnpm-workspace.yaml");
  expect(settings).toMatch(/^onlyBuiltDependencies: \[\]/m);
  expect(settings).toMatch(/^minimumReleaseAge: 4320$/m);
});

const outcomes = (given: Partial<Record<Step, Outcome>>) => {
  const ok: Outcome = { is: "ok", detail: "" };
  return { list: ok, call: ok, read: ok, error: ok, "long call": ok, elicitation: ok, end: ok, ...given };
};

test("lists failures and missing features of a client on its page", () => {
  const client = {
    name: "some-client",
    kind: "a client",
    cannot: { read: "It has tools only.", http: "It is for stdio." },
  } as const;
  const trial: Trial = { client, server: "git", over: "stdio", revision: "2025-11-25", longCallMs: 1500, outcomes: outcomes({}) };
  const broken = {
    ...trial,
    outcomes: outcomes({ call: { is: "failed", detail: "Timeout" }, read: { is: "cannot", detail: "It has tools only." } }),
  };
  const page = renderPage([trial, broken], {
    versions: { "some-client": "1.2.3" },
    date: "2026-11-24",
    node: "24.0.0",
    minutes: 1,
    repeated: 0,
  });
  expect(rowsOf(page)).toEqual([
    { name: "some-client", version: "1.2.3", cells: ["2 of 2", "1 failed", "1 of 2", "2 of 2", "2 of 2", "2 of 2", "2 of 2"] },
  ]);
  expect(page).toContain("| `some-client` | read | It has tools only. |\n| `some-client` | HTTP | It is for stdio. |");
  expect(page).toContain("`git_log`, 1.5 to 1.5 s");
});
