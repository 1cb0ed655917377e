/** The switches of a server, from the definitions that `--help` is made of. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { join } from "node:path";
import type { Flags } from "@oarlock/cli";
import { switchesOf, type Switch } from "../../../packages/cli/src/flags.ts";
import { describeSwitch } from "../../../packages/cli/src/help-text.ts";
import { SHARED } from "../../../packages/cli/src/shared-flags.ts";
import type { About } from "./about.ts";
import { folderOf } from "./repository.ts";

/** Switches without an environment variable. */
const ENDS = new Set(["help", "version"]);

/** A server's own. */
export async function switchesFrom(about: About): Promise<Switch[]> {
  const { flags } = (await import(join(folderOf(about), "src/flags.ts"))) as { flags: Flags }; // the compiler has seen it satisfy them
  return switchesOf(flags);
}

/** They change nothing but stderr, which a host hides. */
const TALK = new Set(["verbose", "veryVerbose"]);

/** What a host may ask whoever installs the server: its own switches, and the one of all servers that people ask for. */
export const askedOf = async (about: About): Promise<Switch[]> => [
  ...switchesOf({ readOnly: SHARED.readOnly }),
  ...(await switchesFrom(about)).filter(({ key }) => !TALK.has(key)),
];

/** A server's own switches as Markdown. */
export const ownOptions = async (about: About): Promise<string> => `${tableOf(await switchesFrom(about))}\n`;

/** The switches of every server as Markdown. */
export const sharedOptions = (): string => `${tableOf(switchesOf(SHARED).filter(({ key }) => !ENDS.has(key)))}\n`;

const tableOf = (switches: readonly Switch[]): string =>
  markdownTable(
    ["switch", "what it does", "environment", "default"],
    switches.map((one) => {
      const { head, help, choices, env, defaultText } = describeSwitch(one);
      const what = help + (choices === undefined ? "" : `: ${choices.join(", ")}`);
      return [`\`${head}\``, inMarkdown(what), `\`${env.replace(/,.*/, "")}\``, defaultText === undefined ? "" : `\`${defaultText}\``];
    }),
  );

const inMarkdown = (text: string): string => text.replaceAll(/--[a-z][a-z-]*/g, "`$&`").replaceAll("<", "&lt;");
