import { query } from './query.ts';

export const teamQuery = (storeId: string) => query('GET /stores/{storeId}/members', { params: { storeId } });
