import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface DayInputProps {
  label: string;
  day: string | undefined;
  onChange(day: string | undefined): void;
}

/** The browser's date field: localized and accessible. */
export function DayInput({ label, day, onChange }: DayInputProps) {
  const [text, setText] = useState(day ?? '');
  useEffect(() => setText(day ?? ''), [day]);
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={
        <span aria-hidden style={{ fontSize: 13 }}>
          {label}
        </span>
      }
      leftSectionWidth={48}
      max="9999-12-31"
      value={text}
      onChange={(event) => {
        const value = event.currentTarget.value;
        setText(value);
        // While the year is being typed, the value is a date such as 0002-01-01.
        if (value === '' || value >= '1970') onChange(value || undefined);
      }}
    />
  );
}
