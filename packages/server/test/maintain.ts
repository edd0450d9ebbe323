import { maintenanceTasks } from '../src/maintenance/tasks.ts';
import type { Services } from '../src/services.ts';

/** Does all maintenance once. */
export async function maintain(services: Services) {
  for (const { run } of maintenanceTasks()) await run(services, () => false);
}
