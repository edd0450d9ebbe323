import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { notify } from './notify.tsx';

/** A dialog in a file of its own, which is loaded when it is first opened; if that fails, a notice says so. */
export function lazyDialog<Props extends { onClose(): void }>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Loaded: ComponentType<Props> | undefined;
  return function LazyDialog(props: Props) {
    const { t } = useTranslation();
    const [, setLoaded] = useState(false);
    // biome-ignore lint/correctness/useExhaustiveDependencies: once
    useEffect(() => {
      if (Loaded) return;
      const onFail = () => {
        notify(t('app.notLoaded'), false);
        props.onClose();
      };
      load().then((module) => {
        Loaded = module.default;
        setLoaded(true);
      }, onFail);
    }, []);
    return Loaded && <Loaded {...props} />;
  };
}
