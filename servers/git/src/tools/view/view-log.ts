// view_log: long pages of the history, for the history view. The commits are in the structured result only.
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { counted } from "@oarlock/domain-kit";
import type { Dependencies } from "../../dependencies.ts";
import { COMMIT_SHARE, logArguments, logResult, readLogPage } from "../inspect/git-log.ts";

const PAGE_COUNT = 500;

export const viewLog = (deps: Dependencies) =>
  tool({
    name: "view_log",
    title: "Commits of the history",
    description: "Get commits of the history, for the history view. Takes the cursors of git_log.",
    input: logArguments,
    output: logResult,
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run(input, ctx) {
      const maxJsonBytes = Math.floor(deps.maxResultBytes * COMMIT_SHARE);
      const { structured } = await readLogPage(deps, { max_count: PAGE_COUNT, ...input }, maxJsonBytes, ctx);
      return { content: counted(structured.commits.length, "commit"), structured };
    },
  });
