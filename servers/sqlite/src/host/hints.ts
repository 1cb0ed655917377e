// Which tools hosts treat specially, for the clients that read hints.
import type { HostHints } from "@oarlock/extensions/host-hints";

/** `allowDestructive`: no call asks the user. */
export const hostHintsOf = ({ allowDestructive }: { readonly allowDestructive: boolean }): HostHints => ({
  alwaysLoad: ["read_query", "list_tables", "describe_table"],
  boundedResults: ["read_query", "search_text", "list_tables", "describe_table"],
  destroys: allowDestructive ? [] : ["write_query", "run_transaction"],
});
