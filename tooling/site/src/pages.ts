// The pages of the site: each is a file of the repository, at its place in the site. Nothing is written twice.

export interface Page {
  /** The file, from the root of the repository. */
  readonly source: string;
  /** The place in the site, without ending. */
  readonly path: string;
  /** In the side bar. */
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
}

const page = (title: string, path: string, source: string): Page => ({ title, path, source });

const SERVERS = ["filesystem", "git", "sqlite", "memory"];

/** The first page. */
export const HOME: Page = page("Oarlock", "index", "docs/index.md");

export const SECTIONS: readonly Section[] = [
  {
    title: "Use a server",
    pages: [
      ...SERVERS.map((name) => page(name, `servers/${name}`, `servers/${name}/README.md`)),
      page("Connect a host", "hosts", "docs/hosts.md"),
      ...SERVERS.map((name) => page(`Manual of ${name}`, `manual/${name}`, `docs/${name}.md`)),
      page("Switches of every server", "configuration", "docs/configuration.md"),
      page("Recipes", "recipes", "docs/recipes.md"),
      page("Clients", "clients", "docs/clients.md"),
      page("Log in", "login", "docs/login.md"),
      page("Run many nodes", "scaling", "docs/scaling.md"),
      page("Operate", "operate", "docs/operate.md"),
      page("Three nodes, to try", "scaling-example", "examples/many-nodes/README.md"),
    ],
  },
  {
    title: "Build a server",
    pages: [
      page("Start here", "guide/index", "docs/guide.md"),
      page("Playground", "playground", "docs/playground.md"),
      page("The server kit", "guide/server-kit", "packages/server-kit/README.md"),
      page("The kit in detail", "guide/kit", "docs/kit.md"),
      page("Examples", "guide/examples", "packages/server-kit/examples/README.md"),
      page("Command line", "guide/cli", "packages/cli/README.md"),
      page("Testing", "guide/testing", "packages/testing/README.md"),
      page("Tokens", "guide/oauth", "packages/oauth/README.md"),
      page("Extensions", "guide/extensions", "packages/extensions/README.md"),
      page("Telemetry", "guide/opentelemetry", "packages/opentelemetry/README.md"),
      page("Scaffold", "guide/create-server", "packages/create-server/README.md"),
      page("Several nodes", "guide/cluster", "packages/cluster/README.md"),
      page("Backplane on Valkey", "guide/backplane-valkey", "packages/backplane-valkey/README.md"),
      page("Backplane on PostgreSQL", "guide/backplane-postgres", "packages/backplane-postgres/README.md"),
      page("Helpers for domains", "guide/domain-kit", "packages/domain-kit/README.md"),
    ],
  },
  {
    title: "Build a client",
    pages: [page("The client", "client", "packages/client/README.md"), page("The client in detail", "client-detail", "docs/client.md")],
  },
  {
    title: "Reference",
    pages: [
      page("Protocol revisions", "protocol", "docs/protocol.md"),
      page("API of the kit", "reference/server-kit", "packages/server-kit/API.md"),
      page("API of the extensions", "reference/extensions", "packages/extensions/API.md"),
      page("API of the cluster", "reference/cluster", "packages/cluster/API.md"),
      ...SERVERS.map((name) => page(`Tools of ${name}`, `reference/${name}`, `servers/${name}/TOOLS.md`)),
      page("Performance", "performance", "docs/performance.md"),
      page("Twenty tasks of a user", "user-tasks", "docs/user-tasks.md"),
      page("First steps, tried three times", "first-steps", "docs/first-steps.md"),
      page("Security", "security", "docs/security.md"),
      page("Platforms", "platforms", "docs/platforms.md"),
      page("Rough edges", "rough-edges", "docs/rough-edges.md"),
      page("Release 0.1.0", "releases/0.1.0", "docs/releases/0.1.0.md"),
    ],
  },
  {
    title: "How it is built",
    pages: [
      page("Design of the kit", "design/server-kit", "packages/server-kit/DESIGN.md"),
      page("Design of the extensions", "design/extensions", "packages/extensions/DESIGN.md"),
      ...SERVERS.map((name) => page(`Design of ${name}`, `design/${name}`, `servers/${name}/DESIGN.md`)),
      page("Contributing", "contributing", "CONTRIBUTING.md"),
      page("Report a vulnerability", "report", "SECURITY.md"),
    ],
  },
];

export const PAGES: readonly Page[] = [HOME, ...SECTIONS.flatMap(({ pages }) => pages)];
