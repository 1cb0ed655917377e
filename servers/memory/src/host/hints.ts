// Which tools hosts treat specially, for the clients that read hints.
import type { HostHints } from "@oarlock/extensions/host-hints";

/** `allowPurge`: no call asks the user. */
export const hostHintsOf = ({ allowPurge }: { readonly allowPurge: boolean }): HostHints => ({
  alwaysLoad: ["search_nodes", "open_nodes", "create_entities", "add_observations"],
  boundedResults: ["read_graph", "open_nodes", "search_nodes"],
  destroys: allowPurge ? [] : ["update_entities"],
});
