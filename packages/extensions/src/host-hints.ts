// @oarlock/extensions/host-hints: what hosts read in `_meta` of tools besides the protocol.
export { hostHints, type HostHints } from "./host-hints/host-hints.ts";
