// Graph: the entities and relations that are shown, up to a bound.

/** More would be too slow to lay out. */
export const MAX_NODES = 2000;
const MAX_RELATIONS = 6000;

export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

export interface ReplyEntity {
  readonly name: string;
  readonly entityType?: string;
  readonly observations?: readonly string[];
  /** How many observations the entity has, where some are missing. */
  readonly observationCount?: number;
  /** How many more it has, where a search shows a part of them. */
  readonly omitted?: number;
}

export interface GraphNode {
  readonly name: string;
  entityType: string | undefined;
  /** Undefined where they have not been read. */
  observations: readonly string[] | undefined;
  /** How many observations the entity has, where some are missing. */
  observationCount: number | undefined;
  /** Part of the result, and not only the end of a relation. */
  isResult: boolean;
  /** How many relations expanding has shown. */
  expanded: number;
  readonly edges: GraphEdge[];
  index: number;
  /** Position and velocity, by the layout. */
  x: number;
  y: number;
  vx: number;
  vy: number;
}

/** All relations from one entity to another. */
export interface GraphEdge {
  readonly source: GraphNode;
  readonly target: GraphNode;
  readonly types: string[];
}

interface Counts {
  readonly entities: number;
  readonly relations: number;
}

export interface Added extends Counts {
  /** Relations of the reply that the picture has no room for. */
  readonly leftOut: number;
}

export class Graph {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  relationCount = 0;
  readonly #byName = new Map<string, GraphNode>();
  readonly #byEnds = new Map<GraphNode, Map<GraphNode, GraphEdge>>();
  readonly #leftOutEntities = new Set<string>();
  /** By their ends and type: a reply may have a relation that an earlier one had. */
  readonly #leftOutRelations = new Set<string>();

  get(name: string): GraphNode | undefined {
    return this.#byName.get(name);
  }

  /** Entities and relations beyond the bounds of the view. */
  get leftOut(): Counts {
    return { entities: this.#leftOutEntities.size, relations: this.#leftOutRelations.size };
  }

  /** New nodes begin near `origin`. Ends of relations become nodes too. */
  add(entities: readonly ReplyEntity[], relations: readonly Relation[], origin?: GraphNode): Added {
    const before = { entities: this.nodes.length, relations: this.relationCount };
    for (const entity of entities) {
      const node = this.#node(entity.name, origin);
      if (node !== undefined) update(node, entity);
    }
    const leftOut = relations.filter((relation) => !this.#relate(relation, origin)).length;
    return { entities: this.nodes.length - before.entities, relations: this.relationCount - before.relations, leftOut };
  }

  #node(name: string, origin: GraphNode | undefined): GraphNode | undefined {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.nodes.length >= MAX_NODES) {
      this.#leftOutEntities.add(name);
      return undefined;
    }
    const index = this.nodes.length;
    const node: GraphNode = {
      name,
      entityType: undefined,
      observations: undefined,
      observationCount: undefined,
      isResult: false,
      expanded: 0,
      edges: [],
      index,
      ...startOf(index, origin),
      vx: 0,
      vy: 0,
    };
    this.nodes.push(node);
    this.#byName.set(name, node);
    return node;
  }

  /** False where the picture has no room for the relation. */
  #relate({ from, to, relationType }: Relation, origin: GraphNode | undefined): boolean {
    const source = this.#node(from, origin);
    const target = this.#node(to, origin);
    const key = JSON.stringify([from, to, relationType]);
    if (source === undefined || target === undefined) {
      this.#leftOutRelations.add(key);
      return false;
    }
    const targets = this.#byEnds.get(source) ?? new Map<GraphNode, GraphEdge>();
    const edge = targets.get(target);
    if (edge?.types.includes(relationType) === true) return true;
    if (this.relationCount >= MAX_RELATIONS) {
      this.#leftOutRelations.add(key);
      return false;
    }
    this.relationCount++;
    if (edge !== undefined) {
      edge.types.push(relationType);
      return true;
    }
    const created: GraphEdge = { source, target, types: [relationType] };
    this.#byEnds.set(source, targets.set(target, created));
    this.edges.push(created);
    source.edges.push(created);
    if (target !== source) target.edges.push(created);
    return true;
  }

  /** Whether there is also an edge in the other direction. */
  hasReverse({ source, target }: GraphEdge): boolean {
    return source !== target && this.#byEnds.get(target)?.has(source) === true;
  }
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Around the origin, or evenly around the center: the first picture has a place for each node. */
function startOf(index: number, origin: GraphNode | undefined): { x: number; y: number } {
  const radius = origin === undefined ? 30 * Math.sqrt(index) : 30;
  const angle = index * GOLDEN_ANGLE;
  return { x: (origin?.x ?? 0) + radius * Math.cos(angle), y: (origin?.y ?? 0) + radius * Math.sin(angle) };
}

/** Adds what the entity brings; what is known and missing in it stays. */
export function update(node: GraphNode, { entityType, observations, observationCount, omitted }: ReplyEntity): void {
  node.isResult = true;
  node.entityType = entityType ?? node.entityType;
  if (observations === undefined || (node.observations?.length ?? 0) > observations.length) return;
  node.observations = observations;
  node.observationCount = omitted === undefined ? observationCount : (observations?.length ?? 0) + omitted;
}

/** How many observations the entity has, where that is known. */
export const observationCountOf = ({ observations, observationCount }: GraphNode): number | undefined =>
  observationCount ?? observations?.length;
