import { existsSync, readdirSync } from 'node:fs';
import serveFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';

/**
 * Scripts only from our own files. Mantine sets inline styles on elements, so those are allowed. Pictures of products
 * come from any https address: what that gives away is in SECURITY.md.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  // The preview of the order page.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

export function secureHeaders(app: FastifyInstance) {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders);
  });
}

/** Serves the built console; every path without a file is a client-side route. */
export async function consolePages(app: FastifyInstance, directory: string) {
  const files = new Set(existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: 'utf8' }) : []);
  const isBuilt = files.has('index.html');
  // Ranges are disabled: an invalid range would produce an error of the plugin, and the files are small.
  const options = { root: directory, serve: false, preCompressed: true, acceptRanges: false };
  if (isBuilt) await app.register(serveFiles, options);

  app.get('', (_request, reply) => reply.redirect('/console/'));
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = request.params['*'];
    if (!isBuilt) throw new DomainError('unavailable', 'The console is not built; run: npm run build');
    const isScreen = !path.startsWith('assets/') && !/\.[^/]*$/.test(path);
    if (!isScreen && !files.has(path))
      throw new DomainError('not_found', `There is nothing at ${request.url.slice(0, 200)}.`);
    // File names in assets/ contain a content hash, so the files never change.
    if (path.startsWith('assets/')) return reply.sendFile(path, { maxAge: '1y', immutable: true });
    reply.header('Cache-Control', 'no-cache');
    return reply.sendFile(isScreen ? 'index.html' : path, { cacheControl: false });
  });
}
