// Where the parts of a repository are.

export interface RepositoryPaths {
  /** The folder of the work tree, or of the bare repository; callers know the repository by it. */
  readonly top: string;
  readonly gitDir: string;
  /** The folder with objects, refs and configuration; differs from `gitDir` in a linked work tree. */
  readonly commonDir: string;
  readonly isBare: boolean;
}

/** A repository, as far as code below `Repository` needs it. */
export interface WithPaths {
  readonly state: RepositoryPaths;
}
