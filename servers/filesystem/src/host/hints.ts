// Which tools hosts treat specially, for the clients that read hints.
import type { HostHints } from "@oarlock/extensions/host-hints";

/** `allowDelete`: no call asks the user. */
export const hostHintsOf = ({ allowDelete }: { readonly allowDelete: boolean }): HostHints => ({
  alwaysLoad: ["read_text_file", "edit_file", "search_files", "search_file_contents"],
  boundedResults: ["read_text_file", "read_file", "read_multiple_files", "search_file_contents", "edit_file", "directory_tree"],
  destroys: allowDelete ? [] : ["delete_file"],
});
