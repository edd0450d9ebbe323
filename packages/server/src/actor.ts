/** Who makes a change: shown in the timeline of an order and in the history. */
export interface Actor {
  /** `owner`: a signed-in person, whatever their role; the stored word is older than members. */
  kind: 'key' | 'owner' | 'system';
  id: string | null;
}

export const system: Actor = { kind: 'system', id: null };
