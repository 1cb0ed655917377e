// The names that the specification allows for skills. Apart from the reader of frontmatter, which a start does not load.
export const SKILL_NAME = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
