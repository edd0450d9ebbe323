import type { Texts } from '../texts.ts';
import type en from './order-mails.en.ts';

export default {
  title: 'Письма о новых заказах',
  text: 'Для каждого магазина не чаще одного в минуту, со всеми заказами после прошлого письма. Приходят на {{email}}.',
  label: 'Присылать письма о новых заказах магазина «{{store}}»',
} satisfies Texts<typeof en>;
