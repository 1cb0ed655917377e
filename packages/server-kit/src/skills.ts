// @oarlock/server-kit/skills: instructions for models that a server brings with it. Requires the package `yaml`, and Node.
export { skills, type SkillsOptions } from "./extensions/skills/skills.ts";
export { readFrontmatter, type Frontmatter } from "./extensions/skills/frontmatter.ts";
