/** What this machine is. Only this module of the package reads `process.platform`. */
export const platform: NodeJS.Platform = process.platform;
