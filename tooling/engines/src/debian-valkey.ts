// Valkey from Debian's packages.
import { join } from "node:path";
import { debianPackages, isDebian } from "./debian-packages.ts";

export interface ValkeyProgram {
  readonly command: string;
  /** Arguments before those of the server. */
  readonly args: readonly string[];
}

/** The server with all libraries, the C library included: the machine may have an older Debian. */
const PACKAGES = [
  "valkey-tools",
  "libatomic1",
  "libc6",
  "libcap2",
  "libgcc-s1",
  "libjemalloc2",
  "liblzf1",
  "libssl3t64",
  "libstdc++6",
  "libsystemd0",
  "libzstd1",
  "zlib1g",
];

/** By Node's name of the architecture: the folder of the libraries and the loader in it. */
const LOADERS: Record<string, readonly [string, string]> = {
  x64: ["x86_64-linux-gnu", "ld-linux-x86-64.so.2"],
  arm64: ["aarch64-linux-gnu", "ld-linux-aarch64.so.1"],
};

/** The program, or the reason why there is none. */
export async function debianValkey(): Promise<ValkeyProgram | string> {
  const [triplet, loader] = LOADERS[process.arch] ?? [];
  if (triplet === undefined || loader === undefined || !isDebian())
    return "neither valkey-server nor redis-server (7.0 or later) is on the PATH";
  try {
    const folder = await debianPackages("valkey", PACKAGES);
    const libraries = join(folder, "usr/lib", triplet);
    const server = join(folder, "usr/bin/valkey-check-rdb"); // one program, whose name decides what it does
    return { command: join(libraries, loader), args: ["--library-path", libraries, "--argv0", "valkey-server", server] };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
