import type { passwordEn } from './password.en.ts';
import type { Texts } from './texts.ts';

export const passwordRu: Texts<typeof passwordEn> = {
  forgotTitle: 'Забыли пароль?',
  forgotText: 'Мы пришлём ссылку, по которой можно задать новый.',
  send: 'Отправить ссылку',
  sentTitle: 'Проверьте почту',
  sentText:
    'Если есть аккаунт с адресом {{email}}, ссылка уже в пути. Она действует один час. Загляните и в папку «Спам».',
  toSignIn: 'Вернуться ко входу',
  off: 'Этот сервер не отправляет писем. Попросите администратора задать новый пароль.',
  resetTitle: 'Новый пароль',
  resetText: 'Вы выйдете из консоли во всех браузерах.',
  next: 'Новый пароль',
  hint: 'Не меньше 8 символов.',
  repeat: 'Повторите новый пароль',
  save: 'Сохранить пароль',
  doneTitle: 'Пароль изменён',
  doneText: 'Войдите с новым паролем.',
  signIn: 'Войти',
  invalidTitle: 'Ссылка не работает',
  again: 'Запросить новую ссылку',
};
