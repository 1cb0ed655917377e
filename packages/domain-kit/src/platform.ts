// The operating system. This is the only file of the package that reads `process.platform`; functions elsewhere take the platform as a
// parameter, so that tests get every answer on every machine.

export const platform: NodeJS.Platform = process.platform;
