/** The options of `pnpm soak`. */
import { parseArgs } from "node:util";
import { positiveNumber } from "@oarlock-tooling/test-support/program";
import { TARGETS } from "./targets/all.ts";

export const HELP = `pnpm soak [--minutes N] [--short] [--only WORD]… [--json FILE]

  --minutes N   how long the load lasts; default 30
  --short       seconds instead of minutes, as in npm run test:all
  --only WORD   only servers with this word in their name (may be given several times):
                ${TARGETS.map(({ name }) => name).join(", ")}
  --json FILE   all samples, for looking closer
`;

/** Throws for a wrong option. */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "30" },
      short: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
    },
  });
  const minutes = positiveNumber("--minutes", values.minutes);
  // A load on no server would always pass.
  const idle = values.only.find((word) => !TARGETS.some(({ name }) => name.includes(word)));
  if (idle !== undefined) throw new TypeError(`--only: no server has ${JSON.stringify(idle)} in its name`);
  const targets = TARGETS.filter(({ name }) => values.only.length === 0 || values.only.some((word) => name.includes(word)));
  return { minutes, short: values.short, targets, json: values.json };
}
