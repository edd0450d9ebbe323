import { columnTypes, type Engine } from './frozen.ts';

/** The parts of an order's document that come before the statuses and after the items. */
export const documentParts = {
  name: 'document-parts',
  statements(engine: Engine): string[] {
    const { text } = columnTypes[engine];
    return ['document_head', 'document_tail'].map(
      (name) => `alter table orders add column ${name} ${text} not null default ''`,
    );
  },
};
