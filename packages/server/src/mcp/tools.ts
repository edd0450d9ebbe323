import { API_PREFIX, type Endpoint, endpoints, parametersOf } from '@store-sales/contract';
import type { InnerRequest } from '../http/inner-request.ts';

/** A row of the API's endpoint table as a tool. */
export interface Tool {
  right: Endpoint['right'];
  /** As `tools/list` shows it. */
  definition: { name: string; inputSchema: object; [field: string]: unknown };
  /** The request that a call with these arguments makes. */
  requestFor(args: Record<string, unknown>): InnerRequest;
}

/** The tools by name. */
export const tools = new Map(Object.entries(endpoints).map(([name, endpoint]) => [name, toolOf(name, endpoint)]));

function toolOf(name: string, endpoint: Endpoint): Tool {
  const { method, path, right, summary, description, body } = endpoint;
  const parameters = new Map(parametersOf(endpoint).map((parameter) => [argumentName(parameter.name), parameter]));
  const properties = [...parameters].map(([argument, parameter]) => [
    argument,
    // How an id is written in a path does not concern a tool.
    parameter.in === 'path' ? parameter.schema : { description: parameter.description, ...parameter.schema },
  ]);
  const required = [...parameters].filter(([, parameter]) => parameter.required).map(([argument]) => argument);
  return {
    right,
    definition: {
      name,
      title: summary,
      description: [summary, description].filter(Boolean).join('. '),
      inputSchema: {
        ...body,
        type: 'object',
        properties: { ...Object.fromEntries(properties), ...body?.properties },
        required: [...required, ...((body?.required as string[] | undefined) ?? [])],
        additionalProperties: false,
      },
      annotations: {
        readOnlyHint: method === 'GET',
        destructiveHint: method === 'PATCH',
        idempotentHint: method !== 'POST',
        openWorldHint: false,
      },
    },
    requestFor(args) {
      const headers: Record<string, string> = {};
      const query: string[] = [];
      const fields: [string, unknown][] = [];
      let url = API_PREFIX + path;
      for (const [argument, value] of Object.entries(args)) {
        const parameter = parameters.get(argument);
        if (parameter?.in === 'path') url = url.replace(`{${parameter.name}}`, () => encoded(value));
        else if (parameter?.in === 'header') headers[parameter.name] = textOf(value);
        // The API reports an unknown argument as an unknown field or parameter.
        else if (parameter || !body) query.push(`${encoded(parameter?.name ?? argument)}=${encoded(value)}`);
        else fields.push([argument, value]);
      }
      return {
        method,
        // An id that is missing is reported as a path without its id.
        url: url.replace(/\{\w+\}/, '') + (query.length ? `?${query.join('&')}` : ''),
        headers,
        payload: body && JSON.stringify(Object.fromEntries(fields)),
      };
    },
  };
}

/**
 * `filter[updatedAt][from]` becomes `filterUpdatedAtFrom`, `Idempotency-Key` becomes `idempotencyKey`: language models
 * accept no brackets in the names of arguments.
 */
function argumentName(parameter: string): string {
  const words = parameter.split(/\W+/).filter(Boolean);
  const capitalized = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return capitalized[0]?.toLowerCase() + capitalized.slice(1);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}

function encoded(value: unknown): string {
  return encodeURIComponent(textOf(value));
}
