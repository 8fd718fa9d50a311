/** Joins names into groups. */
export class UnionFind {
  private readonly parents = new Map<string, string>();

  /** The group's root: its smallest name by code unit, whatever the order of joining. */
  find(name: string): string {
    let root = name;
    for (let parent = this.parents.get(root); parent !== undefined && parent !== root;) {
      root = parent;
      parent = this.parents.get(root);
    }
    this.parents.set(name, root);
    return root;
  }

  join(a: string, b: string): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return;
    const [small, large] = x < y ? [x, y] : [y, x];
    this.parents.set(large, small);
  }
}
