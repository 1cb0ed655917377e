// Style variables of the page, as a host gives them to views.
import type { McpUiStyles } from "@modelcontextprotocol/ext-apps/app-bridge";

const LIGHT = { background: "#fffdf8", raised: "#f3efe6", text: "#221f1a", quiet: "#5c564b", line: "#d8d2c4" };
const DARK = { background: "#1c1f24", raised: "#272b32", text: "#eceef2", quiet: "#b3b9c4", line: "#434a55" };

export function styleVariables(theme: "light" | "dark"): McpUiStyles {
  const colors = theme === "dark" ? DARK : LIGHT;
  return {
    "--color-background-primary": colors.background,
    "--color-background-secondary": colors.raised,
    "--color-text-primary": colors.text,
    "--color-text-secondary": colors.quiet,
    "--color-border-primary": colors.line,
    "--border-radius-sm": "4px",
  } as McpUiStyles; // a host may leave variables out
}
