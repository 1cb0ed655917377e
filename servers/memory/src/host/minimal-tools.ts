// The tools of --toolsets minimal: enough for the twenty tasks that tooling/docs tests, in at most 1,200 tokens.
import type { MinimalTools } from "@oarlock/cli";

export const MINIMAL_TOOLS: MinimalTools = {
  search_nodes: { arguments: ["since"] },
  open_nodes: { arguments: ["asOf"] },
  create_entities: {},
  create_relations: {},
  add_observations: { arguments: ["observations.supersedes", "observations.validFrom"] },
  update_entities: {
    arguments: ["updates.newName", "updates.merge"],
    description: "Rename or merge entities; relations follow, merging asks first.",
  },
  delete_entities: {},
  delete_observations: { arguments: ["purge"] },
  delete_relations: {},
};
