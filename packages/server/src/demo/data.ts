/** Categories of the demo store with their products: name, SKU, price in rubles. */
export const catalog: Record<string, readonly (readonly [name: string, sku: string, rubles: number])[]> = {
  'Чёрный чай': [
    ['Ассам «Золотые типсы»', 'TEA-B-01', 690],
    ['Цейлон Ува высокогорный', 'TEA-B-02', 540],
    ['Дарджилинг первого сбора', 'TEA-B-03', 1250],
    ['Эрл Грей с бергамотом', 'TEA-B-04', 480],
    ['Кения Гатунгуру', 'TEA-B-05', 510],
    ['Лапсанг сушонг копчёный', 'TEA-B-06', 830],
    ['Купаж «Русский караван»', 'TEA-B-07', 620],
    ['Чёрный чай с чабрецом', 'TEA-B-08', 450],
  ],
  'Green tea': [
    ['Sencha Kagoshima', 'TEA-G-01', 780],
    ['Gyokuro Uji', 'TEA-G-02', 2100],
    ['Longjing Dragon Well', 'TEA-G-03', 1480],
    ['Genmaicha with toasted rice', 'TEA-G-04', 560],
    ['Jasmine pearls', 'TEA-G-05', 990],
    ['Matcha, ceremonial grade, 30 g', 'TEA-G-06', 2350],
    ['Moroccan mint', 'TEA-G-07', 430],
    ['Bi Luo Chun', 'TEA-G-08', 1320],
  ],
  'Улун и пуэр': [
    ['Те Гуань Инь', 'TEA-O-01', 870],
    ['Да Хун Пао', 'TEA-O-02', 1150],
    ['Молочный улун', 'TEA-O-03', 740],
    ['Габа Алишань', 'TEA-O-04', 1390],
    ['Шу пуэр, 5 лет, блин 357 г', 'TEA-P-01', 1890],
    ['Шен пуэр «Старые деревья», 200 г', 'TEA-P-02', 2640],
    ['Пуэр в мандарине, 4 шт.', 'TEA-P-03', 920],
    ['Пуэр «Точа» мини, 20 шт.', 'TEA-P-04', 680],
  ],
  Coffee: [
    ['Ethiopia Yirgacheffe, 250 g', 'COF-01', 980],
    ['Colombia Huila, 250 g', 'COF-02', 890],
    ['Kenya AA Nyeri, 250 g', 'COF-03', 1120],
    ['Brazil Cerrado, 1 kg', 'COF-04', 2150],
    ['Espresso blend «House», 1 kg', 'COF-05', 2390],
    ['Decaf Mexico, 250 g', 'COF-06', 940],
    ['Drip bags, assorted, 10 pcs', 'COF-07', 790],
    ['Sumatra Mandheling, 250 g', 'COF-08', 960],
  ],
  'Травы и ягоды': [
    ['Иван-чай ферментированный', 'HRB-01', 390],
    ['Облепиха с имбирём', 'HRB-02', 420],
    ['Ройбуш «Апельсин и корица»', 'HRB-03', 460],
    ['Каркаде суданский', 'HRB-04', 350],
    ['Мята горная', 'HRB-05', 310],
    ['Шиповник сушёный', 'HRB-06', 290],
    ['Гречишный чай Ку Цяо', 'HRB-07', 370],
    ['Сбор «Алтайский вечер»', 'HRB-08', 440],
  ],
  Teaware: [
    ['Gaiwan, white porcelain, 120 ml', 'WARE-01', 1450],
    ['Yixing teapot, 180 ml', 'WARE-02', 6900],
    ['Glass teapot with infuser, 600 ml', 'WARE-03', 1790],
    ['Tea tray, bamboo', 'WARE-04', 3250],
    ['Tasting cups, set of 6', 'WARE-05', 2100],
    ['Fairness pitcher, 200 ml', 'WARE-06', 980],
    ['Bamboo whisk for matcha', 'WARE-07', 1190],
    ['Thermos 0.5 l, matte black', 'WARE-08', 2890],
  ],
  'Для кофе': [
    ['Воронка V60, керамика', 'BREW-01', 2350],
    ['Фильтры V60, 100 шт.', 'BREW-02', 690],
    ['Аэропресс', 'BREW-03', 4290],
    ['Кофемолка ручная', 'BREW-04', 5490],
    ['Весы с таймером', 'BREW-05', 3690],
    ['Чайник «гусиная шея», 0,9 л', 'BREW-06', 4850],
    ['Френч-пресс, 800 мл', 'BREW-07', 1990],
    ['Турка медная, 300 мл', 'BREW-08', 3150],
  ],
  'Gifts and sweets': [
    ['Gift box «Morning», 3 teas', 'GIFT-01', 1990],
    ['Gift box «Evening», 5 teas', 'GIFT-02', 3290],
    ['Gift card 3000 ₽', 'GIFT-03', 3000],
    ['Dark chocolate 72 %, 90 g', 'GIFT-04', 390],
    ['Halva with pistachio', 'GIFT-05', 470],
    ['Мёд липовый, 350 г', 'GIFT-06', 620],
    ['Пастила яблочная', 'GIFT-07', 340],
    ['Turkish delight, rose, 250 g', 'GIFT-08', 410],
  ],
};

/** Drawings that are files of the console, by the beginning of a SKU; the first that fits. */
const pictures = {
  'TEA-B': 'tea-black',
  'TEA-G': 'tea-green',
  'TEA-O': 'tea-oolong',
  'TEA-P': 'puer',
  COF: 'coffee',
  HRB: 'herbs',
  'WARE-01': 'gaiwan',
  'WARE-02': 'teapot',
  'WARE-03': 'teapot',
  WARE: 'cups',
  'BREW-06': 'kettle',
  BREW: 'brewer',
  'GIFT-01': 'gift',
  'GIFT-02': 'gift',
  'GIFT-03': 'gift',
  'GIFT-04': 'chocolate',
  'GIFT-06': 'honey',
  GIFT: 'sweets',
};

export const pictureOf = (sku: string) =>
  `/console/demo/${Object.entries(pictures).find(([beginning]) => sku.startsWith(beginning))?.[1]}.svg`;

/** Parent categories. */
export const categoryTree = {
  Чай: ['Чёрный чай', 'Green tea', 'Улун и пуэр', 'Травы и ягоды'],
  'Кофе и посуда': ['Coffee', 'Для кофе', 'Teaware'],
} as const;

export const firstNames = [
  'Анна',
  'Иван',
  'Мария',
  'Олег',
  'Елена',
  'Дмитрий',
  'Ольга',
  'Сергей',
  'Наталья',
  'Артём',
  'Emma',
  'James',
  'Olivia',
  'Daniel',
  'Sofia',
  'Lucas',
];

export const lastNames: readonly (readonly [cyrillic: string, latin: string])[] = [
  ['Ким', 'Kim'],
  ['Левченко', 'Levchenko'],
  ['Гринберг', 'Greenberg'],
  ['Шевчук', 'Shevchuk'],
  ['Мельник', 'Melnik'],
  ['Коваль', 'Koval'],
  ['Черных', 'Chernykh'],
  ['Дюма', 'Dumas'],
  ['Роуз', 'Rose'],
  ['Бергман', 'Bergman'],
];

export const places: readonly (readonly [city: string, region: string, street: string, postalCode: string])[] = [
  ['Москва', 'Москва', 'Большая Никитская ул.', '125009'],
  ['Санкт-Петербург', 'Санкт-Петербург', 'Литейный пр.', '191028'],
  ['Казань', 'Республика Татарстан', 'ул. Баумана', '420111'],
  ['Екатеринбург', 'Свердловская область', 'ул. Малышева', '620014'],
  ['Тверь', 'Тверская область', 'Советская ул.', '170100'],
  ['Нижний Новгород', 'Нижегородская область', 'Рождественская ул.', '603001'],
];

export const comments = [
  '',
  '',
  '',
  '',
  'Позвонить за час',
  'Leave at the door',
  'Подарочная упаковка',
  'Без звонка, пожалуйста',
];
