import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { parseAmount } from './money.ts';

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  /** In currency units; a text that is not an amount stays a text. */
  value?: number | string;
  onChange?(value: number | string): void;
}

/** A money field. What is typed stays as it is until the field is left. */
export function MoneyInput({ value = '', onChange, onBlur, ...props }: MoneyInputProps) {
  const { language } = useTranslation();
  const [typed, setTyped] = useState('');
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const formatted = typeof value === 'number' ? format.format(value) : value;
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      placeholder={language === 'ru' ? '0,00' : '0.00'}
      {...props}
      value={typed && parseAmount(typed, language) === value ? typed : formatted}
      onChange={({ currentTarget }) => {
        // Without the currency of a pasted amount.
        const text = currentTarget.value.replace(/[^\d.,\s]/g, '');
        setTyped(text);
        onChange?.(parseAmount(text, language));
      }}
      onBlur={(event) => {
        setTyped('');
        onBlur?.(event);
      }}
    />
  );
}
