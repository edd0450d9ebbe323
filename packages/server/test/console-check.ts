import { type ConsoleEndpoint, consoleEndpoints } from '@store-sales/contract/console';
import { Compile } from 'typebox/compile';

const rows = Object.entries(consoleEndpoints).map(([route, { response }]: [string, ConsoleEndpoint]) => {
  const [method, path] = route.split(' ') as [string, string];
  const schema = response && !('contentType' in response) ? response : undefined;
  return {
    route,
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    validator: schema && Compile(schema),
  };
});

/** Throws if a successful response differs from the schema of its row in the console's table. */
export function checkConsoleResponse(method: string, path: string, status: number, body: unknown) {
  if (status >= 300 || status === 204) return;
  const pathname = path.split('?', 1)[0] as string;
  // A fixed path comes before one with parameters.
  const row =
    rows.find((each) => each.route === `${method} ${pathname}`) ??
    rows.filter((each) => each.method === method && each.pattern.test(pathname)).sort(byParameters)[0];
  if (!row?.validator || row.validator.Check(body)) return;
  throw new Error(`${row.route} differs from its schema: ${JSON.stringify(row.validator.Errors(body)).slice(0, 1000)}`);
}

const byParameters = (a: { route: string }, b: { route: string }) =>
  a.route.split('{').length - b.route.split('{').length;
