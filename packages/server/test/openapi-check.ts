import { openapi } from '@store-sales/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Node = Record<string, any>;

/** Checks responses of the API against an OpenAPI document; throws on a difference. */
export function responseChecker(document: Node) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ ...document, $id: 'openapi' });
  const compiled = new Map<string, ValidateFunction>();
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

  function check(pointer: string, body: unknown) {
    let validate = compiled.get(pointer);
    if (!validate) {
      validate = ajv.compile({ $ref: `openapi${pointer}` });
      compiled.set(pointer, validate);
    }
    if (!validate(body))
      throw new Error(
        `response does not match ${pointer}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
  }

  return function checkResponse(method: string, url: string, status: number, headers: Headers, body: unknown) {
    const [pathname] = url.split(/[?#]/, 1) as [string];
    if (!pathname.startsWith('/api/v1') || pathname.endsWith('openapi.json')) return;
    const matching = (path: string) => paths.find(({ pattern }) => pattern.test(path))?.path;
    const found = matching(pathname) ?? matching(decoded(pathname));
    const operation = found && document.paths[found][method.toLowerCase()];
    if (!found || !operation) {
      if (![400, 404, 405, 431].includes(status))
        throw new Error(`${method} ${pathname} returned ${status}, but is not in the document`);
      return check('#/components/schemas/Problem', body);
    }
    const expected = operation.responses[status];
    if (!expected) throw new Error(`${method} ${found} returned ${status}, which is not in the document`);
    if (!expected.content) return;
    const [type] = Object.keys(expected.content);
    if (!headers.get('content-type')?.startsWith(type as string))
      throw new Error(`${method} ${found} ${status} has content type ${headers.get('content-type')}`);
    const escaped = found.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const media = (type as string).replaceAll('/', '~1');
    check(`#/paths/${escaped}/${method.toLowerCase()}/responses/${status}/content/${media}/schema`, body);
    for (const name of Object.keys(expected.headers))
      if (name === 'X-Request-Id' && !headers.get(name)) throw new Error(`${method} ${found} ${status} lacks ${name}`);
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Checks against the document of the current contract. */
export const checkResponse = responseChecker(openapi('http://service.test', '0') as Node);
