// @oarlock/client/skills: the skills of a server, with every file verified. Requires the package `yaml`.
export { SkillError, skillsOf, type LoadedSkill, type Skill, type SkillFile, type Skills } from "./extensions/skills/skills.ts";
