import type { FastifyInstance } from 'fastify';

export function referencePages(_app: FastifyInstance, _publicUrl: () => string) {}
