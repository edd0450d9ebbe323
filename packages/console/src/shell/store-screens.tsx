import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useMatches, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { storesQuery } from '../api/account.ts';
import { useTranslation } from '../i18n/index.ts';
import { LinkButton } from './link.tsx';
import { NotFound } from './not-found.tsx';
import { notify } from './notify.tsx';
import { Page } from './page.tsx';
import { useCurrentStore } from './use-current-store.ts';
import { useMay } from './use-may.ts';
import { useStore } from './use-store.ts';

/** Tells the person when the role in the open store has changed. */
function useRoleNotice() {
  const { t } = useTranslation();
  const store = useCurrentStore();
  const seen = useRef(store);
  useEffect(() => {
    if (store && store.id === seen.current?.id && store.role !== seen.current.role)
      notify(t('noAccess.changed', { role: t(`roles.${store.role}`) }));
    seen.current = store;
  }, [store, t]);
}

/** The screens of a store, as far as the role allows. A role may change, or end, while the page is open. */
export function StoreScreens() {
  const { storeId } = useParams({ strict: false });
  const { data: stores } = useSuspenseQuery(storesQuery);
  const may = useMay();
  useRoleNotice();
  const needs = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.needs)?.staticData.needs,
  });
  if (!stores.some(({ id }) => id === storeId)) return <NotFound />;
  return needs && !may(needs) ? <NoAccess /> : <Outlet />;
}

function NoAccess() {
  const { t } = useTranslation();
  const { id: storeId, role } = useStore();
  const may = useMay();
  return (
    <Page title={t('noAccess.title')} text={t('noAccess.text', { role: t(`roles.${role}`) })} size="form">
      <div>
        <LinkButton
          variant="default"
          to={may('seeHome') ? '/stores/$storeId' : '/stores/$storeId/orders'}
          params={{ storeId }}
        >
          {t(may('seeHome') ? 'nav.home' : 'nav.orders')}
        </LinkButton>
      </div>
    </Page>
  );
}
