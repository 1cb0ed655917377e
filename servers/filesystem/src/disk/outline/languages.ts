// What an outline of each language shows: the kinds of its declarations, by the node types of its tree-sitter grammar.

/** Kinds by the type of a node. */
type Kinds = Readonly<Record<string, string>>;

export interface Language {
  readonly name: string;
  /** Of the grammar, as the package names it. */
  readonly grammar: string;
  readonly kinds: Kinds;
}

const ECMASCRIPT: Kinds = {
  class_declaration: "class",
  function_declaration: "function",
  generator_function_declaration: "function",
  method_definition: "method",
  field_definition: "field",
  variable_declarator: "variable",
};

const TYPESCRIPT: Kinds = {
  ...ECMASCRIPT,
  abstract_class_declaration: "class",
  abstract_method_signature: "method",
  enum_declaration: "enum",
  function_signature: "function",
  interface_declaration: "interface",
  internal_module: "namespace",
  method_signature: "method",
  module: "module",
  public_field_definition: "field",
  type_alias_declaration: "type",
};

const CPP: Kinds = {
  alias_declaration: "type",
  class_specifier: "class",
  concept_definition: "concept",
  declaration: "function",
  enum_specifier: "enum",
  field_declaration: "method",
  function_definition: "function",
  namespace_definition: "namespace",
  preproc_def: "macro",
  preproc_function_def: "macro",
  struct_specifier: "struct",
  type_definition: "type",
  union_specifier: "union",
};

const JAVASCRIPT: Language = { name: "JavaScript", grammar: "javascript", kinds: ECMASCRIPT };
const TYPED: Language = { name: "TypeScript", grammar: "typescript", kinds: TYPESCRIPT };
const C_FAMILY: Language = { name: "C or C++", grammar: "cpp", kinds: CPP };
const PYTHON: Language = {
  name: "Python",
  grammar: "python",
  kinds: { assignment: "variable", class_definition: "class", function_definition: "function" },
};
const GO: Language = {
  name: "Go",
  grammar: "go",
  kinds: {
    const_spec: "constant",
    function_declaration: "function",
    method_declaration: "method",
    type_alias: "type",
    type_spec: "type",
    var_spec: "variable",
  },
};
const RUST: Language = {
  name: "Rust",
  grammar: "rust",
  kinds: {
    const_item: "constant",
    enum_item: "enum",
    function_item: "function",
    function_signature_item: "function",
    impl_item: "impl",
    macro_definition: "macro",
    mod_item: "module",
    static_item: "static",
    struct_item: "struct",
    trait_item: "trait",
    type_item: "type",
    union_item: "union",
  },
};
const JAVA: Language = {
  name: "Java",
  grammar: "java",
  kinds: {
    annotation_type_declaration: "annotation",
    class_declaration: "class",
    constructor_declaration: "constructor",
    enum_declaration: "enum",
    field_declaration: "field",
    interface_declaration: "interface",
    method_declaration: "method",
    record_declaration: "record",
  },
};
const C_SHARP: Language = {
  name: "C#",
  grammar: "c-sharp",
  kinds: {
    class_declaration: "class",
    constructor_declaration: "constructor",
    enum_declaration: "enum",
    interface_declaration: "interface",
    method_declaration: "method",
    namespace_declaration: "namespace",
    property_declaration: "property",
    record_declaration: "record",
    struct_declaration: "struct",
  },
};
const RUBY: Language = {
  name: "Ruby",
  grammar: "ruby",
  kinds: { class: "class", method: "method", module: "module", singleton_method: "method" },
};
const PHP: Language = {
  name: "PHP",
  grammar: "php",
  kinds: {
    class_declaration: "class",
    enum_declaration: "enum",
    function_definition: "function",
    interface_declaration: "interface",
    method_declaration: "method",
    trait_declaration: "trait",
  },
};

const EXTENSIONS: readonly (readonly [Language, string])[] = [
  [TYPED, "ts mts cts"],
  [{ ...TYPED, grammar: "tsx" }, "tsx"],
  [JAVASCRIPT, "js mjs cjs jsx"],
  [PYTHON, "py pyi"],
  [GO, "go"],
  [RUST, "rs"],
  [JAVA, "java"],
  [C_FAMILY, "c h cc cpp cxx hh hpp hxx"],
  [C_SHARP, "cs"],
  [RUBY, "rb"],
  [PHP, "php"],
];

const byExtension = new Map(EXTENSIONS.flatMap(([language, extensions]) => extensions.split(" ").map((one) => [one, language] as const)));

/** Undefined for a name whose language has no outline here. */
export const languageOf = (name: string): Language | undefined => byExtension.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());

/** For messages: names of languages, each once. */
export const LANGUAGE_NAMES: readonly string[] = [...new Set(EXTENSIONS.map(([{ name }]) => name))];
