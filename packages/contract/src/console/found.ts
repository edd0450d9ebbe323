import Type, { type TSchema } from 'typebox';
import { List } from '../api/common.ts';

/** A page of a list that can be searched. */
export const Found = <Schema extends TSchema>(record: Schema) =>
  Type.Object({
    ...List(record).properties,
    suggestion: Type.Optional(
      Type.String({ description: 'If nothing was found: a similar text that finds something.' }),
    ),
  });
