import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';

interface SearchBoxProps {
  q: string;
  hint: string;
  maxLength?: number;
  onChange(q: string): void;
}

/** Searches while the user types, debounced. */
export function SearchBox({ q, hint, maxLength = 100, onChange }: SearchBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(q);
  const lastQuery = useRef(q);
  // Changed from outside: browser history or "Clear filters".
  useEffect(() => {
    if (q !== lastQuery.current) setText(q);
    lastQuery.current = q;
  }, [q]);
  const search = useDebouncedCallback((value: string) => {
    lastQuery.current = value;
    onChange(value);
  }, 250);
  return (
    <TextInput
      type="search"
      aria-label={t('common.search')}
      placeholder={hint}
      leftSection={<IconSearch size={17} />}
      flex={1}
      maw={460}
      maxLength={maxLength}
      value={text}
      // A late search must not navigate back to this screen.
      onBlur={() => search.flush()}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value.trim());
      }}
    />
  );
}
