/** Who makes a change: shown in the timeline of an order and in the history. */
export interface Actor {
  kind: 'key' | 'owner' | 'system';
  id: string | null;
}

export const system: Actor = { kind: 'system', id: null };
