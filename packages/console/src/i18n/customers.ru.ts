import type { customers as english } from './customers.en.ts';
import type { Texts } from './texts.ts';

export const customers: Texts<typeof english> = {
  title: 'Покупатели',
  text: 'Все, кто делал заказы, и те, кого вы загрузили из файла.',
  searchHint: 'Имя, телефон либо почта или внешний ID целиком',
  name: 'Имя',
  phone: 'Телефон',
  email: 'Почта',
  externalId: 'Внешний ID',
  since: 'С нами с',
  nameless: 'Без имени',
  import: 'Импорт',
  emptyTitle: 'Покупателей пока нет',
  emptyText: 'Они появляются с заказами или из файла.',
  noneText: 'Никто не найден. Телефон ищется по началу, почта и внешний ID — только целиком.',
  all: 'Все покупатели',
  contact: 'Контакты',
  orders: 'Заказы',
  noOrders: 'Заказов пока нет.',
  moreOrders: 'Показать ещё',
  updated: 'Изменён',
};
