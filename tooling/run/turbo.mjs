/** `turbo` without telemetry: a script of package.json cannot set a variable, because sh and cmd.exe do it differently. */
process.env.TURBO_TELEMETRY_DISABLED = "1";
await import("turbo/bin/turbo");
