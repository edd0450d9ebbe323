import { useTranslation } from 'react-i18next';

/** A value of the file stands in quotes, as in JSON. */
const QUOTED = '("(?:[^"\\\\]|\\\\.)*")';
const ends = (start: string) => new RegExp(`^${start}${QUOTED}$`);

/**
 * The server tells in English why a row is refused, on the command line as here. These are its sentences in Russian;
 * one that is not among them is shown as it is. Columns keep their names: the file has them so.
 */
const russian: [RegExp, string][] = [
  [/^(\w+) must not be empty$/, '$1 не должно быть пустым'],
  [/^(\w+) must have at most (\d+) characters$/, '$1: не больше $2 символов'],
  [/^(\w+) must not hold a NUL character$/, '$1: недопустимый символ NUL'],
  [
    ends('(\\w+) must be a whole number of kopecks, [^"]*, but is '),
    '$1: нужно целое число копеек (15000 — это 150,00), а указано $2',
  ],
  [ends('(\\w+) must be true or false [^"]*, but is '), '$1: нужно true или false (1 или 0), а указано $2'],
  [/^(\w+) must hold at least one digit$/, '$1: нужна хотя бы одна цифра'],
  [ends('(\\w+) names no category of this store: '), '$1: такой категории нет: $2'],
  [ends('(\\w+) names a category whose own row is rejected: '), '$1: строка этой категории отклонена: $2'],
  [/^is a new category, and the store has at most (.*) of them$/, 'это новая категория, а в магазине их не больше $1'],
  [/^(\w+) would put the category below itself: (.*)$/, '$1: категория оказалась бы внутри самой себя: $2'],
  [/^sku (.*) belongs to another product(.*)$/, 'артикул $1 уже у другого товара$2'],
  [/^is a new product and needs a name$/, 'новому товару нужно название (name)'],
  [/^is a new product and needs a price$/, 'новому товару нужна цена (price)'],
  [/^is a new category and needs a name$/, 'новой категории нужно название (name)'],
  [/^needs externalId or sku$/, 'нужен externalId или sku'],
  [/^needs externalId or phone; .*$/, 'нужен externalId или phone; одной почты мало'],
  [/^has (\d+) cells, the header has (\d+)$/, 'ячеек: $1, а в первой строке: $2'],
  [/^is longer than (\d+) characters$/, 'длиннее $1 символов'],
  [/^opens a quote that is never closed$/, 'кавычка открыта и не закрыта'],
  [/^has text behind a closing quote; .*$/, 'текст после закрывающей кавычки; кавычку внутри ячейки удваивают'],
  [/^it is not UTF-8; .*$/, 'он не в UTF-8; сохраните его как «CSV UTF-8»'],
  [/^it has an unknown column (.*); there are (.*)$/, 'неизвестный столбец $1; бывают $2'],
  [/^the column (\w+) stands in it twice$/, 'столбец $1 указан дважды'],
  [/^it lacks the column (.*) or (.*)$/, 'нет столбца $1 или $2'],
  [/^it lacks the column (.*)$/, 'нет столбца $1'],
  [/^it is empty; its first line names the columns: (.*)$/, 'он пуст; первая строка должна называть столбцы: $1'],
];

/** A reason in the language of the page; a row may be refused for several, told one after the other. */
export function useReason() {
  const { i18n } = useTranslation();
  const inRussian = (text: string) => {
    const [form, words] = russian.find(([form]) => form.test(text)) ?? [];
    return form && words ? text.replace(form, words) : undefined;
  };
  return (message: string): string => {
    if (i18n.language !== 'ru') return message;
    // Some sentences have a semicolon of their own: the whole is tried first.
    return (
      inRussian(message) ??
      message
        .split('; ')
        .map((part) => inRussian(part) ?? part)
        .join('; ')
    );
  };
}
