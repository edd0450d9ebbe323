import Type, { type Static } from 'typebox';
import { Body, Text } from '../api/common.ts';
import { MAX_MAIL_TEXT } from './mail-text.ts';

/** What customers are told by mail when their order gets a status. */
export const StatusMail = Type.Object({
  statusId: Type.String(),
  isEnabled: Type.Boolean(),
  textEn: Type.String(),
  textRu: Type.String(),
});
export type StatusMail = Static<typeof StatusMail>;

export const SaveStatusMail = Body({
  isEnabled: Type.Boolean(),
  textEn: Text(MAX_MAIL_TEXT, 'Text in English.'),
  textRu: Text(MAX_MAIL_TEXT, 'Text in Russian.'),
});
export type SaveStatusMail = Static<typeof SaveStatusMail>;

export const MailCustomer = Body({
  text: Type.String({ minLength: 1, maxLength: MAX_MAIL_TEXT, description: 'Plain text.' }),
});
export type MailCustomer = Static<typeof MailCustomer>;

/** Who sells: on documents, and where customers answer to. */
export const Seller = Type.Object({
  name: Type.String(),
  address: Type.String(),
  taxNumber: Type.String(),
  email: Type.String({ description: 'Where customers answer to.' }),
});
export type Seller = Static<typeof Seller>;

export const SaveSeller = Body({
  name: Text(200, 'Name of the company or person.'),
  address: Text(500, 'Address.'),
  taxNumber: Text(100, 'Tax number.'),
  email: Text(254, 'Where customers answer to; empty for none.'),
});
export type SaveSeller = Static<typeof SaveSeller>;
