/** Arguments of Node for a child process that runs the sources of the packages, as the tests do, instead of what was built. */
export const SOURCES = ["--conditions=oarlock-source"];
