import { Command, Option } from 'commander';
import { VERSION } from '../paths.ts';

export const isJson = process.argv.includes('--json');

/** The store-sales command. Each subcommand loads its code when it is called, so that `--help` is fast. */
export const program = new Command('store-sales')
  .description('Self-hosted store management: orders, reference lists, webhooks and the owner’s console.')
  .version(VERSION)
  .configureOutput({
    outputError: (text, write) =>
      write(
        `store-sales: ${text
          .trim()
          .replace(/^error: /, '')
          .replaceAll('\n', ' ')}; run with --help for usage\n`,
      ),
    ...(isJson && { writeErr: () => {} }),
  })
  .exitOverride();

const accounts = () => import('./accounts.ts');
const mails = () => import('./mail.ts');
const members = () => import('./members.ts');
const promos = () => import('./promo.ts');
const server = () => import('./server.ts');
const webhooks = () => import('./webhooks.ts');
const backups = () => import('./backup.ts');
const copies = () => import('./copy.ts');
const secretCommands = () => import('./secrets.ts');
const imports = () => import('./import.ts');
const requests = () => import('./requests.ts');
const exports = () => import('./export.ts');
const customers = () => import('./customers.ts');
const checks = () => import('./check.ts');
const agents = () => import('./mcp.ts');

/** A subcommand with `--json` and an example. */
function command(parent: Command, usage: string, about: string, example: string): Command {
  return parent
    .command(usage)
    .description(about)
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', `\nExample:\n  $ store-sales ${example}`);
}

command(program, 'serve', 'Serve API, console and webhooks in one process', 'serve')
  .option('--no-dispatch', 'do not deliver webhooks and mails')
  .action(async (options) => (await server()).serve(options));
command(program, 'dispatch', 'Deliver webhooks and mails only', 'dispatch').action(async (options) =>
  (await server()).dispatch(options),
);
command(program, 'migrate', 'Apply missing database migrations', 'migrate')
  .option('--citus', 'then distribute the tables over the workers of a Citus cluster, by store')
  .action(async (options) => (await server()).migrateOnly(options));
command(
  program,
  'demo',
  'Load demo data into an empty database and print its password and API key',
  'demo --json',
).action(async (options) => (await server()).demo(options));

command(
  program,
  'backup <file>',
  'Copy the SQLite database to a file, even while it is served; the file contains its secret key',
  'backup /backups/monday.db',
).action(async (file, options) => (await backups()).backup(file, options));
command(program, 'restore <file>', 'Restore a backup into an empty DATA_DIR', 'restore /backups/monday.db').action(
  async (file, options) => (await backups()).restore(file, options),
);

command(
  program,
  'copy',
  'Copy the SQLite database with everything in it to an empty PostgreSQL database, and move there',
  'copy --to postgres://store_sales:password@db.internal:5432/store_sales',
)
  .requiredOption('--to <url>', 'address of the PostgreSQL database')
  .option('--keep', 'leave this installation in service; without it, serve and dispatch refuse it afterwards')
  .addHelpText(
    'after',
    `
While it copies, the service serves reads, and rejects writes with 503. A copy that was interrupted leaves the service as it was
and can be started again. Set SECRET_KEY of the new nodes to the key of this installation.`,
  )
  .action(async (options) => (await copies()).copy(options));

command(
  program,
  'check',
  'Verify what must always hold in the database, while it is served; exits with 1 if something does not',
  'check --json',
)
  .option('--store <id>', 'only this store')
  .action(async (options) => (await checks()).checkDatabase(options));

const secrets = program.command('secrets').description('Secrets encrypted with SECRET_KEY');
command(
  secrets,
  'rotate',
  'Encrypt all secrets with the newest key of SECRET_KEY; the older keys can then be removed',
  'secrets rotate',
)
  .option('--new', 'SQLite only, with the service stopped: first generate a new key in DATA_DIR/secret.key')
  .option('--replace-unreadable', 'replace webhook secrets whose key is lost; their receivers need the new ones')
  .action(async (options) => (await secretCommands()).secretsRotate(options));

const owner = program.command('owner').description('Owners of stores, who sign in to the console');
command(
  owner,
  'create',
  'Create an owner',
  'owner create --email anna@example.com --name Anna --password-stdin < password.txt',
)
  .requiredOption('--email <address>', 'e-mail address to sign in with')
  .requiredOption('--name <name>', 'name shown in the console')
  .addOption(new Option('--password-stdin', 'read the password from standard input').makeOptionMandatory())
  .action(async (options) => (await accounts()).ownerCreate(options));
command(
  owner,
  'password',
  'Set a new password and sign the owner out everywhere',
  'owner password --email anna@example.com --password-stdin < password.txt',
)
  .requiredOption('--email <address>', 'e-mail address of the owner')
  .addOption(new Option('--password-stdin', 'read the password from standard input').makeOptionMandatory())
  .action(async (options) => (await accounts()).ownerPassword(options));
command(
  owner,
  'reset-second-factor',
  "Remove an owner's or member's passkeys and codes and end all of their sessions",
  'owner reset-second-factor --email anna@example.com',
)
  .requiredOption('--email <address>', 'e-mail address of the account')
  .action(async (options) => (await accounts()).ownerResetSecondFactor(options));

const store = program.command('store').description('Stores');
command(store, 'create', 'Create a store', 'store create --owner anna@example.com --name "Tea House" --plan optimal')
  .requiredOption('--owner <address>', 'e-mail address of its owner')
  .requiredOption('--name <name>', 'name of the store')
  .option('--plan <plan>', 'optimal includes the API and webhooks; basic does not', 'basic')
  .option('--currency <code>', 'currency of its prices and orders', 'RUB')
  .option('--timezone <zone>', 'time zone of the store', 'Europe/Moscow')
  .action(async (options) => (await accounts()).storeCreate(options));
command(store, 'list', 'List the stores', 'store list').action(async (options) =>
  (await accounts()).storeList(options),
);
command(store, 'plan <id> <plan>', 'Change the plan of a store', 'store plan 0192f… optimal').action(
  async (id, plan, options) => (await accounts()).storePlan(id, plan, options),
);
command(store, 'deactivate <id>', 'Deactivate a store: its keys stop working', 'store deactivate 0192f…').action(
  async (id, options) => (await accounts()).storeActive(false)(id, options),
);
command(store, 'activate <id>', 'Activate a store again', 'store activate 0192f…').action(async (id, options) =>
  (await accounts()).storeActive(true)(id, options),
);

const shop = program.command('shop').description('Public order page of a store');
command(shop, 'enable', 'Open the order page of a store', 'shop enable --store 0192f… --slug tea')
  .requiredOption('--store <id>', 'the store')
  .requiredOption('--slug <address>', 'last part of its address: 3 to 40 of a-z, 0-9 and -')
  .action(async (options) => (await accounts()).shopEnable(options));
command(shop, 'disable', 'Close the order page of a store', 'shop disable --store 0192f…')
  .requiredOption('--store <id>', 'the store')
  .action(async (options) => (await accounts()).shopDisable(options));

command(shop, 'feeds', 'Let other sites read the catalog of an order page', 'shop feeds --store 0192f… --on')
  .requiredOption('--store <id>', 'the store')
  .option('--on', 'offer the feeds')
  .option('--off', 'offer them no longer')
  .action(async (options) => (await accounts()).shopFeeds(options));

const member = program.command('member').description('Members of a store and their roles');
command(
  member,
  'add',
  'Add a member, or invite someone who has no account yet',
  'member add --store 0192f… --email boris@example.com --role manager',
)
  .requiredOption('--store <id>', 'the store')
  .requiredOption('--email <address>', 'e-mail address of the member')
  .requiredOption('--role <role>', 'owner, manager, integrator or viewer')
  .action(async (options) => (await members()).memberAdd(options));
command(member, 'list', 'List the members and open invitations of a store', 'member list --store 0192f…')
  .requiredOption('--store <id>', 'the store')
  .action(async (options) => (await members()).memberList(options));
command(
  member,
  'remove',
  'Remove a member and end their sessions, or withdraw an invitation',
  'member remove --store 0192f… --email boris@example.com',
)
  .requiredOption('--store <id>', 'the store')
  .requiredOption('--email <address>', 'e-mail address of the member')
  .action(async (options) => (await members()).memberRemove(options));

const mail = program.command('mail').description('Mails that are sent over SMTP_URL');
command(mail, 'list', 'List the mails that could not be sent, newest first', 'mail list')
  .option('--limit <count>', 'maximum number of mails')
  .action(async (options) => (await mails()).mailList(options));
command(mail, 'retry [id]', 'Send a failed mail again, or all of them', 'mail retry --all')
  .option('--all', 'all mails that could not be sent')
  .action(async (id, options) => (await mails()).mailRetry(id, options));
command(mail, 'test <address>', 'Send a test mail and print the reply of the server', 'mail test anna@example.com')
  .addOption(new Option('--language <language>', 'language of the mail').choices(['en', 'ru']).default('en'))
  .action(async (address, options) => (await mails()).mailTest(address, options));

const key = program.command('key').description('API keys of a store');
command(
  key,
  'create',
  'Create a key. The secret is shown only once.',
  'key create --store 0192f… --name Sync --rights orders:read,orders:write --expires 90d',
)
  .requiredOption('--store <id>', 'store of the key')
  .requiredOption('--name <name>', 'name of the key')
  .requiredOption('--rights <list>', 'comma-separated, such as orders:read,references:read')
  .option('--expires <duration>', 'validity (s, m, h, d, y), at most 5y', '1y')
  .action(async (options) => (await accounts()).keyCreate(options));
command(key, 'list', 'List the keys of a store', 'key list --store 0192f…')
  .requiredOption('--store <id>', 'the store')
  .action(async (options) => (await accounts()).keyList(options));
command(key, 'revoke <id>', 'Revoke a key: the next request with it is rejected', 'key revoke 0192f…').action(
  async (id, options) => (await accounts()).keyRevoke(id, options),
);

const request = program.command('request').description('Requests of the API');
command(
  request,
  'log',
  'Requests with the keys of a store, newest first',
  'request log --store 0192f… --status 4xx --limit 20',
)
  .requiredOption('--store <id>', 'the store')
  .option('--key <id>', 'only requests with this key')
  .option('--status <status>', 'only this status, such as 422, or class, such as 4xx')
  .option('--request-id <id>', 'only the request with this X-Request-Id')
  .option('--limit <count>', 'maximum number of lines', '1000')
  .action(async (options) => (await requests()).requestLog(options));

const promo = program.command('promo').description('Promo codes of a store');
command(
  promo,
  'create',
  'Create a promo code for the order page and for orders made in the console',
  'promo create --store 0192f… --code SPRING --percent 10 --max-uses 100 --to 2026-12-01T00:00:00+03:00',
)
  .requiredOption('--store <id>', 'the store')
  .requiredOption('--code <code>', 'the code; upper and lower case are the same')
  .option('--percent <percent>', 'percentage of the sum of the lines that it takes off, 1 to 100')
  .option('--amount <kopecks>', 'amount that it takes off instead')
  .option('--min-total <kopecks>', 'smallest sum of the lines')
  .option('--from <time>', 'when it begins to apply, with Z or an offset')
  .option('--to <time>', 'until when it applies')
  .option('--max-uses <count>', 'how many orders may use it')
  .action(async (options) => (await promos()).promoCreate(options));
command(promo, 'list', 'List the promo codes of a store, newest first', 'promo list --store 0192f…')
  .requiredOption('--store <id>', 'the store')
  .action(async (options) => (await promos()).promoList(options));
command(
  promo,
  'disable <id>',
  'Switch a promo code off; orders that use it keep their discount',
  'promo disable 0192f…',
).action(async (id, options) => (await promos()).promoDisable(id, options));

const webhook = program.command('webhook').description('Webhook endpoints of a store and their deliveries');
command(
  webhook,
  'add',
  'Add an endpoint. The signing secret is shown only once.',
  'webhook add --store 0192f… --url https://example.com/hooks --events order.created,order.status_changed',
)
  .requiredOption('--store <id>', 'the store')
  .requiredOption('--url <address>', 'https address of the receiver')
  .requiredOption(
    '--events <list>',
    'comma-separated: order.created, order.status_changed, order.payment_status_changed',
  )
  .action(async (options) => (await webhooks()).webhookAdd(options));
command(webhook, 'list', 'List the endpoints of a store', 'webhook list --store 0192f…')
  .requiredOption('--store <id>', 'the store')
  .action(async (options) => (await webhooks()).webhookList(options));
command(webhook, 'ping <id>', 'Send a test event to an endpoint', 'webhook ping 0192f…').action(async (id, options) =>
  (await webhooks()).webhookPing(id, options),
);
command(
  webhook,
  'trigger <id>',
  'Send an event about an order to an endpoint, for tests; the order does not change',
  'webhook trigger 0192f… --event order.created',
)
  .requiredOption('--event <type>', 'order.created, order.status_changed or order.payment_status_changed')
  .option('--order <id>', 'the order; the newest one of the store by default')
  .action(async (id, options) => (await webhooks()).webhookTrigger(id, options));
command(webhook, 'enable <id>', 'Enable an endpoint', 'webhook enable 0192f… --send-missed')
  .option('--send-missed', 'send deliveries that were stopped or skipped while it was disabled')
  .action(async (id, options) => (await webhooks()).webhookEnable(id, options));
command(webhook, 'disable <id>', 'Disable an endpoint', 'webhook disable 0192f…').action(async (id, options) =>
  (await webhooks()).webhookDisable(id, options),
);
command(
  webhook,
  'delete <id>',
  'Delete an endpoint with its log; waiting deliveries are dropped',
  'webhook delete 0192f…',
).action(async (id, options) => (await webhooks()).webhookDelete(id, options));
command(
  webhook,
  'rotate <id>',
  'Create a new signing secret; the old one also signs for 24 hours',
  'webhook rotate 0192f…',
).action(async (id, options) => (await webhooks()).webhookRotate(id, options));
command(
  webhook,
  'resend [delivery]',
  'Send a delivery again, or all failed deliveries of an endpoint since a time',
  'webhook resend --endpoint 0192f… --failed-since 2026-09-27T00:00:00Z',
)
  .option('--endpoint <id>', 'endpoint whose failed deliveries are resent')
  .option('--failed-since <time>', 'only deliveries created at or after this time')
  .action(async (delivery, options) => (await webhooks()).webhookResend(delivery, options));
command(webhook, 'log <id>', 'Deliveries of an endpoint, newest first', 'webhook log 0192f… --status failed')
  .option('--status <status>', 'only pending, delivered, failed, stopped or skipped')
  .option('--limit <count>', 'maximum number of deliveries')
  .action(async (id, options) => (await webhooks()).webhookLog(id, options));

/** A subcommand that imports a CSV file. */
const importCommand = (parent: Command, about: string, example: string, columns: string) =>
  command(parent, 'import <file.csv>', about, example)
    .requiredOption('--store <id>', 'the store')
    .option('--dry-run', 'show what would change, without changing it')
    .addHelpText(
      'after',
      `
The first line of the file contains the column names, in any order: ${columns}.
A missing column leaves values unchanged, an empty cell clears them. Invalid rows are reported by line, and the others
are imported. UTF-8, separated by commas, semicolons or tabs.`,
    );

const category = program.command('category').description('Product categories');
importCommand(
  category,
  'Create and update categories from a CSV file, matched by externalId',
  'category import --store 0192f… categories.csv',
  'externalId, name, parentExternalId',
).action(async (file, options) => (await imports()).categoryImport(file, options));

const product = program.command('product').description('Products of the catalog');
importCommand(
  product,
  'Create and update products from a CSV file, matched by externalId, then by sku',
  'product import --store 0192f… products.csv',
  'externalId, sku, name,\ndescription, price (in kopecks, unless --prices units), oldPrice, categoryExternalId, imageUrl (an https\naddress), isActive (true or false)',
)
  .addOption(
    new Option('--prices <unit>', 'kopecks: integers, as in the API; units: as in a spreadsheet, such as 1 299,90')
      .choices(['kopecks', 'units'])
      .default('kopecks'),
  )
  .action(async (file, options) => (await imports()).productImport(file, options));

const customer = program.command('customer').description('Customers of a store');
importCommand(
  customer,
  'Create and update customers from a CSV file, matched by externalId, then by phone',
  'customer import --store 0192f… customers.csv',
  'externalId, name, phone, email',
).action(async (file, options) => (await imports()).customerImport(file, options));
command(
  customer,
  'export <id>',
  'Print all that is kept about a customer, as JSON',
  'customer export 0192f… > anna.json',
).action(async (id) => (await customers()).customerExport(id));
command(
  customer,
  'erase <id>',
  'Erase the personal data of a customer everywhere, without asking; orders and sums stay',
  'customer erase 0192f…',
)
  .addHelpText('after', '\nBackups still have the data. Run it again if it was interrupted.')
  .action(async (id, options) => (await customers()).customerErase(id, options));

const order = program.command('order').description('Orders of a store');
command(
  order,
  'export',
  'Write all orders to standard output, oldest first',
  'order export --store 0192f… --format csv > orders.csv',
)
  .requiredOption('--store <id>', 'the store')
  .addOption(
    new Option('--format <format>', 'csv: one line per order; ndjson: each order as in the API, with items')
      .choices(['csv', 'ndjson'])
      .makeOptionMandatory(),
  )
  .action(async (options) => (await exports()).orderExport(options));

command(
  program,
  'listen',
  'Receive webhooks on this machine, or forward the events of a store to a receiver, without an endpoint',
  'listen --store 0192f… --forward-to http://localhost:4000/hooks',
)
  .option('--port <port>', 'port to listen on; 0 picks a free one', '4000')
  .option('--secret <secret>', 'signing secret; without it, received events are not verified, and a new one signs')
  .option('--store <id>', 'store of this installation whose events are forwarded')
  .option('--url <address>', 'service elsewhere whose events are forwarded: those of the store of STORE_SALES_KEY')
  .option('--forward-to <url>', 'address of the receiver, http or https')
  .action(async (options) => (await webhooks()).webhookListen(options));

command(
  program,
  'mcp',
  'Connect an agent (Model Context Protocol) on standard input and output to a service',
  'mcp --url https://sales.example',
)
  .requiredOption('--url <address>', 'URL of the service')
  .addHelpText('after', '\nSTORE_SALES_KEY is an API key of the store; its rights decide which tools the agent has.')
  .action(async (options) => (await agents()).mcp(options));

command(
  program,
  'completion <shell>',
  'Print the completion script of a shell: bash, zsh or fish',
  'completion bash > /etc/bash_completion.d/store-sales',
).action(async (shell) => (await import('./completion.ts')).completion(program, shell));
