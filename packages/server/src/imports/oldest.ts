/** A binary heap of the oldest members. Members that have changed since they were added are dropped when found. */
export class Oldest<Member> {
  private heap: Member[] = [];

  constructor(private readonly isOlder: (a: Member, b: Member) => boolean) {}

  add(member: Member) {
    const { heap } = this;
    // Most heaps have one member; a first `push` would allocate space for seventeen.
    if (!heap.length) {
      this.heap = [member];
      return;
    }
    let at = heap.push(member) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && this.isOlder(member, heap[parent] as Member); parent = (at - 1) >> 1) {
      heap[at] = heap[parent] as Member;
      at = parent;
    }
    heap[at] = member;
  }

  first(isCurrent: (member: Member) => boolean): Member | undefined {
    for (let first = this.heap[0]; first !== undefined; first = this.heap[0]) {
      if (isCurrent(first)) return first;
      this.removeFirst();
    }
    return undefined;
  }

  private removeFirst() {
    const { heap } = this;
    const last = heap.pop() as Member;
    if (!heap.length) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.isOlder(heap[child + 1] as Member, heap[child] as Member)) child++;
      if (!this.isOlder(heap[child] as Member, last)) break;
      heap[at] = heap[child] as Member;
      at = child;
    }
    heap[at] = last;
  }
}
