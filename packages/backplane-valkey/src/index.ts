// @oarlock/backplane-valkey: what several nodes of a server share, in Valkey or Redis.
export { valkeyBackplane, type ValkeyBackplaneOptions } from "./open.ts";
