// What differs between operating systems. This is the only file of the server that reads `process.platform`; functions elsewhere take
// the platform, or the path rules that follow from it, as a parameter, so that tests get every answer on every machine.

export const platform: NodeJS.Platform = process.platform;

export const isWindows = platform === "win32";
