import { Command, Option } from 'commander';
import { VERSION } from '../paths.ts';

/**
 * The store-sales command. What a command does is loaded only when it is called, so that `--help` answers at once.
 */
const program = new Command('store-sales')
  .description('Orders, reference lists, webhooks and the owner’s console of your stores, on your own machine.')
  .version(VERSION)
  .showHelpAfterError('(add --help for how it is used)');

const accounts = () => import('./accounts.ts');
const server = () => import('./server.ts');
const webhooks = () => import('./webhooks.ts');
const backups = () => import('./backup.ts');
const secretCommands = () => import('./secrets.ts');
const imports = () => import('./import.ts');
const exports = () => import('./export.ts');

/** A subcommand with `--json`, as all have, and an example. */
function command(parent: Command, usage: string, about: string, example: string): Command {
  return parent
    .command(usage)
    .description(about)
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', `\nExample:\n  $ store-sales ${example}`);
}

command(program, 'serve', 'Serve API, console and webhooks in one process', 'serve')
  .option('--no-dispatch', 'leave the webhook dispatcher out')
  .action(async (options) => (await server()).serve(options));
command(program, 'dispatch', 'Deliver webhooks, without serving', 'dispatch').action(async (options) =>
  (await server()).dispatch(options),
);
command(program, 'migrate', 'Bring the schema of the database up', 'migrate').action(async (options) =>
  (await server()).migrateOnly(options),
);
command(program, 'demo', 'Load the demo into an empty database and print how to get in', 'demo --json').action(
  async (options) => (await server()).demo(options),
);

command(
  program,
  'backup <file>',
  'Copy the embedded database to a file, safely while it is served; the file holds its secrets',
  'backup /backups/monday.db',
).action(async (file, options) => (await backups()).backup(file, options));
command(program, 'restore <file>', 'Bring a backup back into an empty DATA_DIR', 'restore /backups/monday.db').action(
  async (file, options) => (await backups()).restore(file, options),
);

const secrets = program.command('secrets').description('Secrets that are encrypted under SECRET_KEY');
command(
  secrets,
  'rotate',
  'Encrypt every secret under the newest key of SECRET_KEY; the older keys can be dropped afterwards',
  'secrets rotate',
)
  .option('--new', 'embedded database, with the service stopped: make the new key first, in DATA_DIR/secret.key')
  .option('--replace-unreadable', 'replace webhook secrets whose key is lost; their receivers need new ones')
  .action(async (options) => (await secretCommands()).secretsRotate(options));

const owner = program.command('owner').description('Owners of stores, who sign in to the console');
command(
  owner,
  'create',
  'Create an owner',
  'owner create --email anna@example.com --name Anna --password-stdin < password.txt',
)
  .requiredOption('--email <address>', 'what the owner signs in with')
  .requiredOption('--name <name>', 'how the console greets them')
  .addOption(new Option('--password-stdin', 'read the password from standard input').makeOptionMandatory())
  .action(async (options) => (await accounts()).ownerCreate(options));
command(
  owner,
  'password',
  'Set a new password and sign the owner out everywhere',
  'owner password --email anna@example.com --password-stdin < password.txt',
)
  .requiredOption('--email <address>', 'of the owner')
  .addOption(new Option('--password-stdin', 'read the password from standard input').makeOptionMandatory())
  .action(async (options) => (await accounts()).ownerPassword(options));

const store = program.command('store').description('Stores');
command(store, 'create', 'Create a store', 'store create --owner anna@example.com --name "Tea House" --plan optimal')
  .requiredOption('--owner <address>', 'e-mail of its owner')
  .requiredOption('--name <name>', 'name of the store')
  .option('--plan <plan>', 'optimal opens the API and webhooks; basic does not', 'basic')
  .option('--currency <code>', 'currency of its prices and orders', 'RUB')
  .option('--timezone <zone>', 'where its day begins', 'Europe/Moscow')
  .action(async (options) => (await accounts()).storeCreate(options));
command(store, 'list', 'List the stores', 'store list').action(async (options) =>
  (await accounts()).storeList(options),
);
command(store, 'plan <id> <plan>', 'Change the plan of a store', 'store plan 0192f… optimal').action(
  async (id, plan, options) => (await accounts()).storePlan(id, plan, options),
);
command(store, 'deactivate <id>', 'Close a store: its keys stop working', 'store deactivate 0192f…').action(
  async (id, options) => (await accounts()).storeActive(false)(id, options),
);
command(store, 'activate <id>', 'Open a store again', 'store activate 0192f…').action(async (id, options) =>
  (await accounts()).storeActive(true)(id, options),
);
command(
  store,
  'repair-clock <id>',
  'Repair a store that was stamped with times in the future by a machine whose clock was ahead',
  'store repair-clock 0192f…',
).action(async (id, options) => (await accounts()).storeRepairClock(id, options));

const key = program.command('key').description('API keys of a store');
command(
  key,
  'create',
  'Create a key; its secret is shown this once',
  'key create --store 0192f… --name Sync --rights orders:read,orders:write --expires 90d',
)
  .requiredOption('--store <id>', 'the store it opens')
  .requiredOption('--name <name>', 'to tell keys apart')
  .requiredOption('--rights <list>', 'comma-separated, such as orders:read,references:read')
  .option('--expires <duration>', 'how long it works (s, m, h, d, y); at most 5y', '1y')
  .action(async (options) => (await accounts()).keyCreate(options));
command(key, 'list', 'List the keys of a store', 'key list --store 0192f…')
  .requiredOption('--store <id>', 'the store')
  .action(async (options) => (await accounts()).keyList(options));
command(key, 'revoke <id>', 'Revoke a key: the next request with it is refused', 'key revoke 0192f…').action(
  async (id, options) => (await accounts()).keyRevoke(id, options),
);

const webhook = program.command('webhook').description('Webhook endpoints of a store and their deliveries');
command(
  webhook,
  'add',
  'Set up an endpoint; its signing secret is shown this once',
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
command(webhook, 'enable <id>', 'Switch an endpoint on again', 'webhook enable 0192f… --send-missed')
  .option('--send-missed', 'send what was stopped or skipped while it was off')
  .action(async (id, options) => (await webhooks()).webhookEnable(id, options));
command(webhook, 'disable <id>', 'Switch an endpoint off', 'webhook disable 0192f…').action(async (id, options) =>
  (await webhooks()).webhookDisable(id, options),
);
command(
  webhook,
  'rotate <id>',
  'Make a new signing secret; the old one signs beside it for 24 hours',
  'webhook rotate 0192f…',
).action(async (id, options) => (await webhooks()).webhookRotate(id, options));
command(
  webhook,
  'resend [delivery]',
  'Send a delivery again, or all of an endpoint that failed since a time',
  'webhook resend --endpoint 0192f… --failed-since 2026-09-27T00:00:00Z',
)
  .option('--endpoint <id>', 'the endpoint whose failed deliveries are sent again')
  .option('--failed-since <time>', 'those made at or after this time')
  .action(async (delivery, options) => (await webhooks()).webhookResend(delivery, options));
command(webhook, 'log <id>', 'Deliveries of an endpoint, newest first', 'webhook log 0192f… --status failed')
  .option('--status <status>', 'only pending, delivered, failed, stopped or skipped')
  .option('--limit <count>', 'at most so many')
  .action(async (id, options) => (await webhooks()).webhookLog(id, options));

/** A subcommand that brings in a CSV file; all three keep the same rules. */
const importCommand = (parent: Command, about: string, example: string, columns: string) =>
  command(parent, 'import <file.csv>', about, example)
    .requiredOption('--store <id>', 'the store')
    .option('--dry-run', 'tell what would change, and change nothing')
    .addHelpText(
      'after',
      `
The first line of the file names its columns, in any order: ${columns}.
A column left out keeps what is there, an empty cell clears it. A wrong row is named by its line and stops nothing
else. UTF-8, cells apart by a comma or a semicolon.`,
    );

const category = program.command('category').description('Categories of products');
importCommand(
  category,
  'Add and change categories from a CSV file, found by externalId',
  'category import --store 0192f… categories.csv',
  'externalId, name, parentExternalId',
).action(async (file, options) => (await imports()).categoryImport(file, options));

const product = program.command('product').description('Products of the catalog');
importCommand(
  product,
  'Add and change products from a CSV file, found by externalId, else by sku',
  'product import --store 0192f… products.csv',
  'externalId, sku, name,\ndescription, price (in kopecks), categoryExternalId, isActive (true or false)',
).action(async (file, options) => (await imports()).productImport(file, options));

const customer = program.command('customer').description('Customers of a store');
importCommand(
  customer,
  'Add and change customers from a CSV file, found by externalId, else by phone',
  'customer import --store 0192f… customers.csv',
  'externalId, name, phone, email',
).action(async (file, options) => (await imports()).customerImport(file, options));

const order = program.command('order').description('Orders of a store');
command(
  order,
  'export',
  'Write all orders to standard output, the oldest first',
  'order export --store 0192f… --format csv > orders.csv',
)
  .requiredOption('--store <id>', 'the store')
  .addOption(
    new Option('--format <format>', 'csv: a line for each order; ndjson: each order as the API shows it, with items')
      .choices(['csv', 'ndjson'])
      .makeOptionMandatory(),
  )
  .action(async (options) => (await exports()).orderExport(options));

command(
  program,
  'listen',
  'Receive webhooks on this machine: verify, print, answer',
  'listen --port 4000 --secret whsec_…',
)
  .option('--port <port>', 'port to listen on; 0 picks a free one', '4000')
  .option('--secret <secret>', 'signing secret of the endpoint; without it nothing is verified')
  .action(async (options) => (await webhooks()).webhookListen(options));

try {
  await program.parseAsync();
} catch (error) {
  const { explain } = await import('./output.ts');
  console.error(`store-sales: ${explain(error)}`);
  process.exitCode = 1;
}
