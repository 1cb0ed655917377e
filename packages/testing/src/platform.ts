// What this machine is. Only this module of the package reads `process.platform`.
export const isLinux = process.platform === "linux";
