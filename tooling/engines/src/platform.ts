// What this machine is. Only this module of the package reads `process.platform`.
export const isWindows = process.platform === "win32";

/** As packages with programs name it, such as `linux-x64`. */
export const machineName = `${process.platform}-${process.arch}`;
