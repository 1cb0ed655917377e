// Where the parts of a repository are.

export interface RepositoryPaths {
  /** The folder of the work tree, or of the bare repository; callers know the repository by it. */
  readonly top: string;
  readonly gitDir: string;
  /** The folder with objects, refs and configuration; differs from `gitDir` in a linked work tree. */
  readonly commonDir: string;
  readonly isBare: boolean;
}

/** Where HEAD is. */
export interface Head {
  /** The current branch; undefined where HEAD is detached. */
  readonly branch?: string;
  /** The commit; undefined before the first one, and where only git can find it. */
  readonly oid?: string;
}

/** A repository, as far as code below `Repository` needs it. */
export interface WithPaths {
  readonly state: RepositoryPaths;
}
