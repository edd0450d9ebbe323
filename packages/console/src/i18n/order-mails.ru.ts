import type { orderMailsEn } from './order-mails.en.ts';
import type { Texts } from './texts.ts';

export const orderMailsRu: Texts<typeof orderMailsEn> = {
  title: 'Письма о новых заказах',
  text: 'Для каждого магазина не чаще одного в минуту, со всеми заказами после прошлого письма. Приходят на {{email}}.',
  label: 'Присылать письма о новых заказах магазина «{{store}}»',
};
