import { type AnyRoute, useRouter } from '@tanstack/react-router';
import { type Ability, rolesWith } from './abilities.ts';
import { useCurrentStore } from './use-current-store.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What a role needs to open the page and the pages below it; nothing: every member may. */
    needs?: Ability;
  }
}

/** Whether the signed-in person may do something in the current store. */
export function useMay(): (ability: Ability) => boolean {
  const role = useCurrentStore()?.role;
  return (ability) => role !== undefined && rolesWith(ability).includes(role);
}

/** Whether the signed-in person may open the page with this path. */
export function useMayOpen(): (path: string | undefined) => boolean {
  const may = useMay();
  const routes = useRouter().routesByPath as Record<string, AnyRoute>;
  return (path) => {
    const needs = neededFor(routes[path ?? '']);
    return needs === undefined || may(needs);
  };
}

/** Of the route itself, or of the nearest one above it. */
const neededFor = (route: AnyRoute | undefined): Ability | undefined =>
  route && (route.options.staticData?.needs ?? neededFor(route.parentRoute));
