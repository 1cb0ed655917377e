/** `pnpm soak`: half an hour of mixed load on every transport and every server. Exit status 1 where something grows or goes wrong. */
import { writeFileSync } from "node:fs";
import { ProgressOutput } from "@oarlock/domain-kit";
import { runMain } from "@oarlock-tooling/test-support/program";
import { BOUNDS, SHORT_BOUNDS } from "./growth.ts";
import { HELP, readOptions } from "./options.ts";
import { LONG, SHORT, withTime } from "./profiles.ts";
import { tableOf, wrongIn } from "./report.ts";
import { soak } from "./soak.ts";

async function main(args: string[]): Promise<number> {
  const { minutes, short, targets, json } = readOptions(args);
  const order = short ? SHORT : withTime(LONG, minutes);
  const bounds = short ? SHORT_BOUNDS : BOUNDS;
  console.log(`${targets.length} servers side by side, Node ${process.versions.node}, ${short ? "short" : `${minutes} minutes`}`);
  const progress = new ProgressOutput(process.stderr, { lineMs: 60_000 });
  const startedAt = performance.now();
  const seconds = Math.round((order.warmMs + order.loadMs) / 1000);
  const timer = setInterval(() => {
    const passed = Math.round((performance.now() - startedAt) / 1000);
    if (passed < seconds) progress.report("Seconds of load", passed, seconds);
    else progress.report("Servers come to rest, seconds", passed);
  }, 1000);
  const all = await Promise.all(
    targets.map(async (target) => {
      const soaked = await soak(target, order);
      progress.writeLine(`${target.name}: done`);
      return soaked;
    }),
  );
  clearInterval(timer);
  progress.end();
  console.log(tableOf(all, bounds));
  if (json !== undefined) writeFileSync(json, JSON.stringify(all));
  const wrong = all.flatMap((one) => wrongIn(one, bounds));
  for (const sentence of wrong) console.log(sentence);
  console.log(wrong.length === 0 ? "Nothing grows." : `${wrong.length} faults.`);
  return wrong.length === 0 ? 0 : 1;
}

await runMain(HELP, main);
process.exit(); // connections that still wait do not hold it up
