/** A binary min-heap. Items that have changed since they were added are removed when they are first. */
export class MinHeap<Item> {
  private heap: Item[] = [];

  constructor(private readonly isLess: (a: Item, b: Item) => boolean) {}

  add(item: Item) {
    const { heap } = this;
    // Most heaps have one item; `push` on an empty array would allocate space for seventeen.
    if (!heap.length) {
      this.heap = [item];
      return;
    }
    let at = heap.push(item) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && this.isLess(item, heap[parent] as Item); parent = (at - 1) >> 1) {
      heap[at] = heap[parent] as Item;
      at = parent;
    }
    heap[at] = item;
  }

  first(isCurrent: (item: Item) => boolean): Item | undefined {
    for (let first = this.heap[0]; first !== undefined; first = this.heap[0]) {
      if (isCurrent(first)) return first;
      this.removeFirst();
    }
    return undefined;
  }

  private removeFirst() {
    const { heap } = this;
    const last = heap.pop() as Item;
    if (!heap.length) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.isLess(heap[child + 1] as Item, heap[child] as Item)) child++;
      if (!this.isLess(heap[child] as Item, last)) break;
      heap[at] = heap[child] as Item;
      at = child;
    }
    heap[at] = last;
  }
}
