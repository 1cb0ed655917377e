/** What is used of WebAssembly; the types of Node leave it to those of browsers. */
declare namespace WebAssembly {
  interface Module {
    readonly brand?: "module";
  }
  class Memory {
    constructor(size: { initial: number });
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
