/** Groups of numbers 0…n-1 that are joined step by step (Galler and Fischer, 1964). */
export interface DisjointSets {
  /** A new number, alone in its group. */
  add(): number;
  /** The lowest number of the group. */
  find(member: number): number;
  /** Makes one group of two and returns its lowest number. */
  join(one: number, other: number): number;
}

export function createDisjointSets(): DisjointSets {
  const parents: number[] = [];
  const find = (member: number): number => {
    let root = member;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  return {
    add: () => parents.push(parents.length) - 1,
    find,
    join(one, other) {
      const [lowest, lost] = [find(one), find(other)].toSorted((a, b) => a - b) as [number, number];
      parents[lost] = lowest;
      return lowest;
    },
  };
}
