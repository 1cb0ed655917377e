#!/usr/bin/env node
// The command oarlock-filesystem [options] DIR[:ro]…
import { escapeControls } from "@oarlock/domain-kit";
import { cli, requireNode, StartError } from "@oarlock/cli";
import { parseDirectory, changePath } from "./directory-argument.ts";
import { defaultTrashFolder } from "./disk/trash/trash-folder.ts";
import { flags } from "./flags.ts";
import { namesOf } from "./request-areas.ts";
import { createServer, version } from "./server.ts";

const NODES_NOTICE = "Each node serves the directories of its own host: mount the same ones at the same paths on every node.";

requireNode("oarlock-filesystem");

void cli({
  name: "oarlock-filesystem",
  version,
  summary: "files under the directories that you name, for Model Context Protocol hosts",
  hostEntry: "filesystem",
  positionals: { usage: "DIR[:ro]…", help: "a directory to serve; :ro allows reading only", path: changePath },
  serverJson: new URL("../server.json", import.meta.url),
  flags,
  async doctor({ readOnly, roots, noTrash }, directories) {
    const { checkMachine } = await import("./doctor.ts");
    return checkMachine({ directories, readOnly, roots, trash: noTrash ? undefined : defaultTrashFolder() });
  },
  async create(
    { deny, roots, refuseHardLinks, allowDelete, noTrash, lean, maxResultBytes, readOnly, http, backplane },
    positionals,
    { stateKeys, log },
  ) {
    const directories = positionals.map(parseDirectory);
    const { server, areas } = await createServer({
      directories,
      deny,
      roots,
      refuseHardLinks,
      allowDelete,
      trash: noTrash ? undefined : defaultTrashFolder(),
      lean,
      maxResultBytes,
      readOnly,
      stateKeys,
    });
    for (const { path, why } of areas.disk.skipped) log("warning", `Cannot serve ${escapeControls(path)}, skipping: ${WHY[why]}`);
    if (http && backplane !== undefined) log("notice", NODES_NOTICE);
    if (positionals.length > 0 && areas.disk.roots.length === 0)
      throw new StartError("No directory can be served: none of them exists and is readable. Name one that does.", 3);
    if (areas.disk.roots.length > 0) log("info", `Allowed directories: ${namesOf(areas.disk.roots)}`);
    if (positionals.length === 0)
      log("warning", "No directory was named: nothing is served until the client lists roots. Start with: oarlock-filesystem DIR…");
    return server;
  },
});

const WHY = {
  missing: "it does not exist",
  "not-a-folder": "it is not a directory",
  "no-access": "it may not be read",
  blank: "its name is blank",
} as const;
