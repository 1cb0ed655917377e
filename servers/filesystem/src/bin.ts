#!/usr/bin/env node
// The command oarlock-filesystem [options] DIR[:ro]…
import "@oarlock/server-kit/stdout"; // first: what other modules print while they load goes to stderr
import { escapeControls } from "@oarlock/domain-kit";
import { cli, nothingServed, requireFileOwners, requireNode } from "@oarlock/cli";
import { parseDirectory, changePath } from "./directory-argument.ts";
import { defaultTrashFolder } from "./disk/trash/trash-folder.ts";
import { flags } from "./flags.ts";
import { MINIMAL_TOOLS } from "./host/minimal-tools.ts";
import { namesOf } from "./request-sandbox.ts";
import { createServer, version } from "./server.ts";
import { remedyOf, SKIP_REASONS } from "./disk/access/skip-reasons.ts";

const NODES_NOTICE = "Each node serves the directories of its own host: mount the same ones at the same paths on every node.";

requireNode("oarlock-filesystem");

void cli({
  name: "oarlock-filesystem",
  version,
  summary: "files under the directories that you name, for Model Context Protocol hosts",
  hostEntry: "filesystem",
  positionals: { usage: "DIR[:ro]…", help: "a directory to serve; :ro allows reading only", path: changePath },
  serverJson: new URL("../server.json", import.meta.url),
  minimal: MINIMAL_TOOLS,
  flags,
  async doctor({ readOnly, roots, noTrash }, directories) {
    const { checkMachine } = await import("./doctor.ts");
    return checkMachine({ directories, readOnly, roots, trash: noTrash ? undefined : defaultTrashFolder() });
  },
  async create(
    { deny, roots, refuseHardLinks, lockdown, allowDelete, noTrash, lean, maxResultBytes, readOnly, http, backplane, toolsets, tools },
    positionals,
    { stateKeys, log },
  ) {
    requireFileOwners(lockdown);
    const directories = positionals.map(parseDirectory);
    const { server, sandboxes } = await createServer({
      directories,
      deny,
      roots,
      refuseHardLinks,
      lockdown,
      allowDelete,
      trash: noTrash ? undefined : defaultTrashFolder(),
      lean,
      maxResultBytes,
      readOnly,
      switches: { toolsets, tools, readOnly },
      stateKeys,
    });
    const { skipped } = sandboxes.disk;
    // The error names all of them, so they get no warnings.
    if (positionals.length > 0 && sandboxes.disk.roots.length === 0)
      throw nothingServed(
        "directory",
        skipped.map(({ path, why }) => ({ path, reason: SKIP_REASONS[why], remedy: remedyOf(why) })),
      );
    for (const { path, why } of skipped) log("warning", `Cannot serve ${escapeControls(path)}, skipping: ${SKIP_REASONS[why]}`);
    if (http && backplane !== undefined) log("notice", NODES_NOTICE);
    if (sandboxes.disk.roots.length > 0) log("info", `Allowed directories: ${namesOf(sandboxes.disk.roots)}`);
    if (positionals.length === 0)
      log("warning", "No directory was named: nothing is served until the client lists roots. Start with: oarlock-filesystem DIR…");
    return server;
  },
});
