/** `pnpm soak`: half an hour of mixed load on every transport and every server. Exit status 1 where something grows or goes wrong. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ProgressOutput } from "@oarlock/domain-kit";
import { BOUNDS, SHORT_BOUNDS } from "./growth.ts";
import { LONG, SHORT, withTime } from "./profiles.ts";
import { rowsOf, table, wrongIn } from "./report.ts";
import { soak } from "./soak.ts";
import { TARGETS } from "./targets/all.ts";

const HELP = `pnpm soak [--minutes N] [--short] [--only WORD]… [--json FILE]

  --minutes N   how long the load lasts; default 30
  --short       seconds instead of minutes, as in npm test
  --only WORD   only servers with this word in their name (may be given several times):
                ${TARGETS.map(({ name }) => name).join(", ")}
  --json FILE   all samples, for looking closer
`;

function read() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "30" },
      short: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new TypeError("--minutes: expected a number above 0");
  const chosen = TARGETS.filter(({ name }) => values.only.length === 0 || values.only.some((word) => name.includes(word)));
  // A load on no server would always pass.
  const idle = values.only.find((word) => !TARGETS.some(({ name }) => name.includes(word)));
  if (idle !== undefined) throw new TypeError(`--only: no server has ${JSON.stringify(idle)} in its name`);
  return { values, minutes, chosen };
}

function readOrEnd(): ReturnType<typeof read> {
  try {
    return read();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

const { values, minutes, chosen } = readOrEnd();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const order = values.short ? SHORT : withTime(LONG, minutes);
const bounds = values.short ? SHORT_BOUNDS : BOUNDS;
console.log(`${chosen.length} servers side by side, Node ${process.versions.node}, ${values.short ? "short" : `${minutes} minutes`}`);
const progress = new ProgressOutput(process.stderr, { lineMs: 60_000 });
const startedAt = performance.now();
const seconds = Math.round((order.warmMs + order.loadMs) / 1000);
const timer = setInterval(() => {
  const passed = Math.round((performance.now() - startedAt) / 1000);
  if (passed < seconds) progress.report("Seconds of load", passed, seconds);
  else progress.report("Servers come to rest, seconds", passed);
}, 1000);
const all = await Promise.all(
  chosen.map(async (target) => {
    const soaked = await soak(target, order);
    progress.writeLine(`${target.name}: done`);
    return soaked;
  }),
);
clearInterval(timer);
progress.end();
console.log(table(rowsOf(all, bounds)));
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all));
const wrong = all.flatMap((one) => wrongIn(one, bounds));
for (const sentence of wrong) console.log(sentence);
console.log(wrong.length === 0 ? "Nothing grows." : `${wrong.length} faults.`);
process.exit(wrong.length === 0 ? 0 : 1);
