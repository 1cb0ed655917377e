// @oarlock/extensions/skills: instructions for models that a server brings with it. Requires the package `yaml`, and Node.
export { skills, type SkillsOptions } from "./skills/skills.ts";
export { readFrontmatter, type Frontmatter } from "./skills/frontmatter.ts";
