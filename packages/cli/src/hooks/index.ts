// @oarlock/cli/hooks: writes commands into the hooks of a host, and takes them out again.
export { changeHooks, type HookChange } from "./change-hooks.ts";
export { HOOK_HOSTS, type HookHost } from "./hook-hosts.ts";
