import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface SearchBoxProps {
  q: string;
  hint: string;
  maxLength?: number;
  onChange(q: string): void;
}

/** Looks while one types, a moment after the last key. */
export function SearchBox({ q, hint, maxLength = 100, onChange }: SearchBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(q);
  const told = useRef(q);
  // Changed by other means than typing: by the way back, or cleared.
  useEffect(() => {
    if (q !== told.current) setText(q);
    told.current = q;
  }, [q]);
  const tell = useDebouncedCallback((value: string) => {
    told.current = value;
    onChange(value);
  }, 250);
  return (
    <TextInput
      aria-label={t('orders.search')}
      placeholder={hint}
      leftSection={<IconSearch size={17} />}
      flex={1}
      maw={460}
      maxLength={maxLength}
      value={text}
      // Whoever goes on to something else goes there, not back here a moment later.
      onBlur={() => tell.flush()}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value.trim());
      }}
    />
  );
}
