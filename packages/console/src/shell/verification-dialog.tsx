import { type ComponentType, useEffect, useRef, useState } from 'react';
import { onRefusal } from '../api/client.ts';
import { loadTexts } from '../i18n/index.ts';
import type { VerificationFormProps } from './proof-form.tsx';

/**
 * Has the person confirm over the page that it is them, before a request that needs it is sent again: nothing typed is
 * lost. The calls that were refused wait for this one dialog.
 */
export function VerificationDialog() {
  const waiting = useRef<((isVerified: boolean) => void)[]>([]);
  const [Form, setForm] = useState<ComponentType<VerificationFormProps>>();

  useEffect(
    () =>
      onRefusal('verification_required', async () => {
        const [form] = await Promise.all([import('./proof-form.tsx'), loadTexts('secondFactor')]).catch(() => []);
        if (!form) return false;
        setForm(() => form.VerificationForm);
        return new Promise((resolve) => waiting.current.push(resolve));
      }),
    [],
  );

  function onClose(isVerified: boolean) {
    setForm(undefined);
    for (const resolve of waiting.current.splice(0)) resolve(isVerified);
  }
  return Form && <Form onClose={onClose} />;
}
