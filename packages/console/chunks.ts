/** What only some pages need, so that the others do not load it with the components in common. */
const LATE = {
  secrets: /components\/PasswordInput\/|shell\/(secret-input|second-step)\.tsx/,
  fields: /components\/(Checkbox|Radio|Switch)\/|utils\/InlineInput\/|shell\/saved-switch\.tsx/,
  forms: new RegExp(
    [
      'node_modules/(@mantine/form|klona|fast-deep-equal)/|components/Textarea/',
      'shell/(use-submit|use-record-form|validators|conflict)\\.ts|shell/(form|conflict-alert|create-store|session-form)\\.tsx',
      'record-dialog\\.tsx|use-reference-form\\.ts',
    ].join('|'),
  ),
  /** Of a product, and of the order page. */
  pictures: /shell\/(picture-drop|use-picture-uploads)\.|api\/pictures\.ts|components\/Progress\//,
  qr: /node_modules\/qr\//,
  /** Passkeys and codes: after the password, or before a sensitive change. */
  proofs: /shell\/proof-form\.tsx|api\/second-factor\.ts|node_modules\/@simplewebauthn\//,
  /** An order, and a new one. */
  grid: /components\/Grid\//,
  numbers: /components\/NumberInput\/|node_modules\/react-number-format\//,
  /** Lists of orders, also that of a customer. */
  'order-list': /screens\/orders\/(order-table|status-badges|filters|view-switch|export-menu|print-menu)\.tsx/,
  /** A new order, and the dialog that edits one. */
  'order-form':
    /screens\/orders\/(amount-fields|new-items|product-search|new-order-(summary|draft)|edit-items-draft|use-(promo|new-order))\./,
};
/** What several sections use. */
const SHARED =
  /src\/(api|i18n|shell)\/|contract\/dist\/api\/totals\.js|screens\/.*\.ts$|screens\/(references\/(list|record-.*)|.*\/(delivery-badge|order-totals|back-to-orders))\.tsx/;

const isLate = (id: string) => Object.values(LATE).some((part) => part.test(id));

/**
 * The files of the build: few for each page, because each is a request and is compressed alone. The first group that
 * matches a module takes it, with what it imports. What no group takes is in the file of its page.
 */
export const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\//,
  },
  { name: 'components', test: (id: string) => id.includes('node_modules') && !isLate(id), minShareCount: 2 },
  { name: 'shared', test: (id: string) => SHARED.test(id) && !isLate(id), minShareCount: 2 },
  ...Object.entries(LATE).map(([name, test]) => ({ name, test, minShareCount: 2 })),
  // One for each section.
  { debugName: 'section', name: (id: string) => /screens\/([^/]+)/.exec(id)?.[1] ?? null, minShareCount: 2 },
];
