// The directions of imports; ARCHITECTURE.md explains them. Type imports count. biome.json has the rules for the web console,
// as the parser used here reads no JSX, and for single names such as http.request and process.env.

const SERVER = '^packages/server/src';
/** Tests and their helpers may import any module. */
const TESTS = '\\.test\\.ts$|^packages/server/test/';

/** Folders that every other may import; they import none. */
const shared = ['text', 'time'];

/** The folders of the server that each folder may import. */
const mayImport = {
  ...Object.fromEntries(shared.map((folder) => [folder, []])),
  db: [],
  queue: [],
  http: ['db'],
  mail: ['db', 'http', 'queue'],
  history: ['db', 'http'],
  imports: ['db', 'http', 'history'],
  files: ['db', 'http', 'imports'],
  keys: ['db', 'http', 'history', 'mail'],
  requests: ['db', 'http', 'keys'],
  references: ['db', 'http', 'history', 'stock'],
  catalog: ['db', 'http', 'files', 'history', 'imports', 'stock'],
  customers: ['db', 'http', 'history', 'imports'],
  webhooks: ['db', 'http', 'history', 'mail', 'queue'],
  stock: ['db', 'http', 'history'],
  promo: ['db', 'http', 'history'],
  'customer-mail': ['db', 'http', 'history', 'mail'],
  orders: [
    'db',
    'http',
    'history',
    'imports',
    'catalog',
    'customer-mail',
    'customers',
    'promo',
    'references',
    'stock',
    'webhooks',
  ],
  accounts: ['db', 'http', 'history', 'mail', 'references', 'orders', 'webhooks'],
  members: ['db', 'http', 'history', 'accounts', 'mail', 'orders', 'references'],
  'personal-data': ['db', 'http', 'history', 'customers', 'mail', 'orders', 'requests', 'webhooks'],
  live: ['db', 'http'],
  shop: [
    'db',
    'http',
    'files',
    'history',
    'accounts',
    'catalog',
    'customer-mail',
    'mail',
    'orders',
    'promo',
    'references',
    'stock',
  ],
  home: ['http', 'catalog', 'keys', 'orders', 'shop', 'webhooks'],
  demo: ['db', 'accounts', 'catalog', 'customers', 'keys', 'orders', 'promo', 'references', 'shop', 'webhooks'],
  check: ['db', 'catalog', 'customers', 'orders'],
  maintenance: ['db', 'http', 'mail', 'requests', 'webhooks'],
  mcp: ['http', 'requests'],
  apidocs: ['http'],
  cli: [
    'db',
    'accounts',
    'catalog',
    'check',
    'customers',
    'demo',
    'imports',
    'keys',
    'mail',
    'members',
    'orders',
    'personal-data',
    'promo',
    'references',
    'requests',
    'shop',
    'webhooks',
  ],
};
const folders = Object.keys(mayImport);

const directions = folders.map((folder) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import ${mayImport[folder].join(', ') || 'no other folder'}`,
  severity: 'error',
  from: { path: `${SERVER}/${folder}/`, pathNot: TESTS },
  to: { path: `${SERVER}/[^/]+/`, pathNot: `${SERVER}/(${[folder, ...shared, ...mayImport[folder]].join('|')})/` },
}));

/** The files that assemble the service; they import everything. */
const ASSEMBLY = ['main', 'app', 'api', 'console'];

/** What the other files in src/ itself import, besides each other and the shared folders. */
const looseMayImport = {
  actor: [],
  'domain-error': [],
  limits: [],
  paths: [],
  secrets: [],
  tenants: [],
  config: ['db/postgres/servers', 'db/sqlite/private-files', 'mail/mail-address'],
  services: ['db/.*', 'http/store-limit'],
};
const looseFiles = Object.entries(looseMayImport).map(([file, others]) => ({
  name: `${file}-imports`,
  comment: `${file}.ts may import ${others.join(', ') || 'no folder but the shared ones'}`,
  severity: 'error',
  from: { path: `${SERVER}/${file}\\.ts$` },
  to: { path: `${SERVER}/[^/]+/`, pathNot: `${SERVER}/((${shared.join('|')})/|(${others.join('|') || '-'})\\.ts$)` },
}));

/** Inside webhooks/, along the path of an event. */
const webhookStages = {
  outbox: [],
  events: ['outbox'],
  'address-guard': [],
  log: ['outbox'],
  endpoints: ['outbox', 'address-guard', 'log'],
  dispatch: ['outbox', 'address-guard', 'log', 'endpoints'],
};
const stages = Object.entries(webhookStages).map(([stage, others]) => ({
  name: `webhooks-${stage}-imports`,
  comment: `webhooks/${stage}/ may import ${others.join(', ') || 'no other stage'}`,
  severity: 'error',
  from: { path: `${SERVER}/webhooks/${stage}/`, pathNot: TESTS },
  to: { path: `${SERVER}/webhooks/`, pathNot: `${SERVER}/webhooks/(${[stage, ...others].join('|')})/` },
}));

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    rule('no-cycles', 'No module imports itself through others.', {}, { circular: true }),
    ...directions,
    ...stages,
    rule(
      'known-folder',
      'A new folder of the server needs a line in mayImport.',
      { path: `${SERVER}/[^/]+/`, pathNot: `${SERVER}/(${folders.join('|')})/` },
      {},
    ),
    ...looseFiles,
    rule(
      'known-loose-file',
      'A new file in src/ itself needs a line in looseMayImport, or better a folder.',
      {
        path: `${SERVER}/[^/]+\\.ts$`,
        pathNot: `${SERVER}/(${[...ASSEMBLY, ...Object.keys(looseMayImport)].join('|')})\\.ts$|${TESTS}`,
      },
      {},
    ),
    rule(
      'assembly',
      'Nothing imports the files that assemble the service, but the command line and the tests.',
      { path: `${SERVER}/`, pathNot: `${SERVER}/cli/|${SERVER}/(${ASSEMBLY.join('|')})\\.ts$|${TESTS}` },
      { path: `${SERVER}/(${ASSEMBLY.join('|')})\\.ts$` },
    ),
    rule(
      'below-services',
      'The database, queues and shared folders know neither the services nor the configuration.',
      { path: `${SERVER}/(${['db', 'queue', ...shared].join('|')})/`, pathNot: TESTS },
      { path: `${SERVER}/(services|config)\\.ts$` },
    ),
    rule(
      'private-queries',
      'The SQL of a feature is private to its folder.',
      { path: `${SERVER}/([^/]+)/`, pathNot: TESTS },
      { path: '\\.queries\\.ts$', pathNot: `${SERVER}/$1/` },
    ),
    rule(
      'sql-in-queries',
      'SQL is written only in *.queries.ts, db/ and check/.',
      { path: `${SERVER}/`, pathNot: `\\.queries\\.ts$|${SERVER}/(db|check)/|${TESTS}` },
      { path: `${SERVER}/db/sql\\.ts$` },
    ),
    rule(
      'long-work',
      'A feature receives and sends streams with http/long-work.ts only.',
      { path: `${SERVER}/`, pathNot: `${SERVER}/(http|cli|db)/|${SERVER}/app\\.ts$|${TESTS}` },
      { path: '^(node:)?stream' },
    ),
    rule(
      'database-drivers',
      'Only the engines import their drivers.',
      { path: `${SERVER}/`, pathNot: `${SERVER}/db/(sqlite|postgres|cluster)/|${TESTS}` },
      { path: 'node_modules/(pg|pg-[^/]+)/|better-sqlite3' },
    ),
    rule(
      'frozen-migrations',
      'A released migration never changes, so it imports nothing that can.',
      { path: `${SERVER}/db/migrations/\\d`, pathNot: TESTS },
      { path: `^packages/`, pathNot: `${SERVER}/db/migrations/|${SERVER}/db/(database|sql)\\.ts$` },
    ),
    rule(
      'contract-without-io',
      'The contract has no I/O: it imports only its own modules and typebox.',
      { path: '^packages/contract/src/', pathNot: TESTS },
      { pathNot: '^packages/contract/src/|node_modules/typebox/' },
    ),
    rule(
      'contract-parts',
      'The public API and webhooks do not depend on the console.',
      { path: '^packages/contract/src/(api|webhooks)/' },
      { path: '^packages/contract/src/console/' },
    ),
    rule(
      'client',
      'The published client imports nothing of the server or the console.',
      { path: '^packages/client/src/', pathNot: TESTS },
      { path: '^packages/(server|console)/' },
    ),
    rule(
      'tests-reach-the-server-one-way',
      'e2e and bench import the server by its package name, or the helpers in packages/server/test.',
      { path: '^(e2e|bench)/' },
      { path: `${SERVER}/`, dependencyTypes: ['local'] },
    ),
    rule(
      'not-to-tests',
      'The product does not import tests.',
      { path: '^packages/[^/]+/src/', pathNot: TESTS },
      { path: `\\.test\\.ts$|^packages/server/test/|^(e2e|bench)/` },
    ),
    rule('resolvable', 'Every import can be resolved.', {}, { couldNotResolve: true }),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|program)/|\\.generated\\.ts$|\\.tsx$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['store-sales:source', 'import', 'node', 'default', 'types'],
    },
  },
};
