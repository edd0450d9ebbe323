import { hasOwners } from '../accounts/owners.ts';
import { loadConfig } from '../config.ts';
import { DEMO_SHOP, loadDemo } from '../demo/load.ts';
import { startServing } from '../main.ts';
import { fail } from './output.ts';
import { withServices } from './session.ts';

/** `npm start`: serves. On an empty SQLite database, loads the demo first and prints its credentials. */
async function quickstart() {
  const config = loadConfig();
  const access = config.DATABASE_URL
    ? undefined
    : await withServices(async ({ db, now }) =>
        (await hasOwners(db)) ? undefined : loadDemo(db, config.SECRET_KEY, now()),
      );
  const { url, setupUrl } = await startServing(config, { http: true, dispatch: true });
  const lines = [`Store Sales is ready at ${url}`, '', `  Console    ${url}/console/`];
  if (access) lines.push(`             sign in as ${access.email} with the password ${access.password}`);
  if (setupUrl) lines.push(`             no owner yet: create the first one at ${setupUrl}`);
  lines.push(`  Reference  ${url}/docs`);
  if (access) lines.push(`  Order page ${url}/shop/${DEMO_SHOP}`);
  if (access)
    lines.push(
      '',
      'A demo store was created. Its API key (key and password are shown only once):',
      '',
      `  ${access.apiKey}`,
      '',
      'Try it:',
      '',
      `  curl -H "Authorization: Bearer ${access.apiKey}" ${url}/api/v1/credentials`,
    );
  else if (!setupUrl) lines.push('', 'Lost the password?  npx store-sales owner password --help');
  console.log(`\n${lines.join('\n')}\n`);
}

quickstart().catch((error: unknown) => {
  fail(error, false);
  process.exit();
});
