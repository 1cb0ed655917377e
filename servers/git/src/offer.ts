// Everything that the server offers. Loaded after the handshake (see `lazy` in server.ts).
import { leanTool, type ServerFeatures } from "@oarlock/server-kit";
import { createDependencies, type ServerConfiguration } from "./dependencies.ts";
import { REPEATED_MEMBERS } from "./lean.ts";
import { commitMessage } from "./prompts/commit-message.ts";
import { releaseNotes } from "./prompts/release-notes.ts";
import { resolveConflicts } from "./prompts/resolve-conflicts.ts";
import { reviewChanges } from "./prompts/review-changes.ts";
import { summarizeHistory } from "./prompts/summarize-history.ts";
import { waitForStoppedProcesses } from "./repo/process/git-process.ts";
import { Watcher } from "./repo/watch/watcher.ts";
import { commit, diff } from "./resources/history.ts";
import { blob, tree } from "./resources/objects.ts";
import { refs, status } from "./resources/state.ts";
import { allTools, viewTools } from "./tools/index.ts";

export function createFeatures(configuration: ServerConfiguration, isLean: boolean): ServerFeatures {
  const deps = createDependencies(configuration);
  const watcher = new Watcher(configuration);
  const tools = allTools(deps);
  return {
    tools: [...(isLean ? tools.map((tool) => leanTool(tool, REPEATED_MEMBERS)) : tools), ...viewTools(deps)],
    resources: [status(deps, watcher), refs(deps, watcher), commit(deps), diff(deps), blob(deps), tree(deps)],
    prompts: [commitMessage(deps), reviewChanges(deps), summarizeHistory(deps), releaseNotes(deps), resolveConflicts(deps)],
    async close() {
      await watcher.close();
      deps.repositories.close();
      await waitForStoppedProcesses();
    },
  };
}
