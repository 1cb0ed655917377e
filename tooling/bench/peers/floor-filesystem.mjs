// The floor for files: the bare frame of the floors with the most direct call of node:fs behind each tool. It checks
// neither arguments nor paths and is no server to use, only the limit to measure against. Contents are searched by the very binary
// of ripgrep that servers/filesystem has, read to its end. `twice` answers the way the official server's clients expect: the text as
// content and again as structured content. What is acknowledged is on the disk.
import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { serveTools } from "./floor-frame.mjs";

const server = createRequire(new URL("../../../servers/filesystem/package.json", import.meta.url));
const { rgPath: ripgrep } = server("@vscode/ripgrep");

const tools = {
  read_text_file: ({ path, head }) => (head === undefined ? readFileSync(path, "utf8") : firstLines(path, head)),
  search_files({ path, pattern }) {
    const source = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\*\*\/|\*/g, (star) => (star === "*" ? "[^/]*" : "(?:.*/)?"));
    const matcher = new RegExp(`^${source}$`);
    const found = [];
    const walk = (folder, relative) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const name = relative + entry.name;
        if (matcher.test(name)) found.push(`${folder}/${entry.name}`);
        if (entry.isDirectory()) walk(`${folder}/${entry.name}`, `${name}/`);
      }
    };
    walk(path, "");
    return found.join("\n");
  },
  search_file_contents: ({ path, pattern }) =>
    new Promise((resolve, reject) => {
      const flags = ["--no-config", "--no-require-git", "--line-number", `--regexp=${pattern}`, "--", "./"];
      const child = spawn(ripgrep, flags, { cwd: path, env: {}, stdio: ["ignore", "pipe", "inherit"] });
      const chunks = [];
      child.stdout.on("data", (chunk) => chunks.push(chunk));
      child.on("error", reject);
      child.on("close", () => resolve((chunks[0] ?? "").toString().split("\n", 100).join("\n")));
    }),
  directory_tree({ path }) {
    const children = (folder) =>
      readdirSync(folder, { withFileTypes: true }).map((entry) =>
        entry.isDirectory()
          ? { name: entry.name, type: "directory", children: children(`${folder}/${entry.name}`) }
          : { name: entry.name, type: "file" },
      );
    return JSON.stringify(children(path));
  },
  edit_file({ path, edits }) {
    const edited = edits.reduce((text, { oldText, newText }) => text.replace(oldText, () => newText), readFileSync(path, "utf8"));
    writeFileSync(path, edited, { flush: true });
    return "ok";
  },
};

function firstLines(path, count) {
  const file = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(65_536);
  let text = "";
  let lines = 0;
  for (let read = readSync(file, buffer); read > 0 && lines < count; read = readSync(file, buffer)) {
    text += buffer.toString("utf8", 0, read);
    lines = text.split("\n").length - 1;
  }
  closeSync(file);
  return text.split("\n").slice(0, count).join("\n");
}

const asTwice = (content) => ({ content: [{ type: "text", text: content }], structuredContent: { content } });

serveTools(tools, process.argv[2] === "twice" ? asTwice : undefined);
