// The version of this package, written by `pnpm release:version`.
export const version = "0.1.0";
