import type { Engine } from './frozen.ts';

/**
 * Splits the documents of orders, and puts their members in the order of the specification. Before:
 * `updatedAt, id, number, externalId, createdAt, totalAmount … delivery { typeId, type … }, paymentType, source, notes`.
 * The quotes of a text are escaped, so a member with its quotes is found only where it is one. Older programs would
 * read and write only the part in the middle.
 */
export const fillDocumentParts = {
  name: 'fill-document-parts',
  isBreaking: true,
  batch(engine: Engine) {
    const find = engine === 'sqlite' ? 'instr' : 'strpos';
    const at = (member: string) => `${find}(document, ',"${member}":')`;
    const slice = (from: string, end: string) => `substr(document, ${from}, ${end} - (${from}))`;
    const [externalId, totalAmount, delivery] = [at('externalId'), at('totalAmount'), at('delivery')];
    const [paymentType, source] = [at('paymentType'), at('source')];
    // `"updatedAt":"2026-01-01T00:00:00.000Z",` and `"id":"00000000-0000-0000-0000-000000000000"`.
    const [stamp, id] = ['substr(document, 1, 38)', 'substr(document, 40, 43)'];
    const typeId = `${delivery} + ${',"delivery":{"typeId":'.length}`;
    const typeIdEnd = `(${typeId} + case when substr(document, ${typeId}, 4) = 'null' then 4 else 38 end)`;
    return {
      table: 'orders',
      primaryKey: ['store_id', 'id'],
      set: `
        document_head = '{' || ${id} || ${slice(externalId, totalAmount)} || ',' || ${stamp},
        document = ${slice(totalAmount, `${delivery} + ${',"delivery":{'.length}`)}
          || ${slice(`${typeIdEnd} + 1`, `${paymentType} - 1`)} || ',"typeId":' || ${slice(typeId, typeIdEnd)} || '}'
          || substr(document, ${source}),
        document_tail = ',"number":' || number || ${slice(paymentType, source)} || '}'`,
      isPending: `document_head = ''`,
    };
  },
};
