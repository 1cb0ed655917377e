// Which node of a syntax tree is a declaration, and what it is called.
import type { Node } from "@vscode/tree-sitter-wasm";
import type { Language } from "./languages.ts";

export interface Declaration {
  readonly name: string;
  readonly kind: string;
  /** What it holds is left out. */
  readonly hasBody: boolean;
}

/** Kinds with a body of statements. */
const WITH_BODY = new Set(["function", "method", "constructor", "macro", "field", "property", "variable", "constant", "static", "type"]);
/** Kinds whose functions are methods. */
const CLASSES = new Set(["class", "interface", "struct", "trait", "impl", "enum", "record", "union"]);
/** Declarations that C and C++ also have without a body, as a mention of a type. */
const NEEDS_BODY = new Set(["class_specifier", "struct_specifier", "enum_specifier", "union_specifier"]);
/** Values that make of a variable what they are. */
const VALUE_KINDS: Readonly<Record<string, string>> = {
  arrow_function: "function",
  function_expression: "function",
  generator_function: "function",
  class: "class",
  struct_type: "struct",
  interface_type: "interface",
};

/** `within`: the kind of the declaration around the node. */
export function declarationOf(node: Node, language: Language, within: string | undefined): Declaration | undefined {
  const kind = language.kinds[node.type];
  if (kind === undefined || (NEEDS_BODY.has(node.type) && node.childForFieldName("body") === null)) return undefined;
  // Of what C declares without a definition, only functions count.
  if ((node.type === "declaration" || (node.type === "field_declaration" && language.grammar === "cpp")) && !declaresFunction(node))
    return undefined;
  const name = nameOf(node);
  if (name === undefined) return undefined;
  const value = node.childForFieldName("value") ?? node.childForFieldName("type");
  const exact = (value && VALUE_KINDS[value.type]) ?? kind;
  const role = exact === "function" && within !== undefined && CLASSES.has(within) ? "method" : exact;
  return { name, kind: role, hasBody: WITH_BODY.has(role) };
}

/** Undefined for what has no name, such as a pattern of several. */
function nameOf(node: Node): string | undefined {
  if (node.type === "impl_item") {
    const [trait, type] = [node.childForFieldName("trait")?.text, node.childForFieldName("type")?.text];
    return trait === undefined ? type : `${trait} for ${type ?? ""}`;
  }
  if (node.type === "assignment") {
    const left = node.childForFieldName("left");
    // A variable of the module.
    return left?.type === "identifier" && node.parent?.parent?.parent === null ? left.text : undefined;
  }
  const name = node.childForFieldName("name") ?? node.childForFieldName("property");
  if (name !== null) {
    const receiver = node.childForFieldName("receiver");
    const type = receiver === null ? undefined : /([A-Za-z_]\w*)[^\w]*$/.exec(receiver.text.replace(/\[.*/, ""))?.[1];
    return type === undefined ? oneLine(name.text) : `${type}.${oneLine(name.text)}`;
  }
  return declaredName(node.childForFieldName("declarator"));
}

/** C nests the name in its declarators; those of Java have it as a field. */
function declaredName(declarator: Node | null): string | undefined {
  for (let node = declarator, level = 0; node !== null && level < 20; level += 1) {
    const inner = node.childForFieldName("declarator") ?? node.childForFieldName("name");
    // The name of a qualified one is only its last part.
    if (inner === null || node.type === "qualified_identifier") return oneLine(node.text);
    node = inner;
  }
  return undefined;
}

function declaresFunction(node: Node): boolean {
  for (let at = node.childForFieldName("declarator"), level = 0; at !== null && level < 20; level += 1) {
    if (at.type === "function_declarator") return true;
    at = at.childForFieldName("declarator");
  }
  return false;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
