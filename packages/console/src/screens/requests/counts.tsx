import { Box, Group, Text } from '@mantine/core';
import type { RequestCounts, RequestFilter } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import type { FilterChange } from './filters.tsx';
import classes from './requests.module.css';

const parts = ['failed', 'refused', 'succeeded'] as const;

interface CountsProps {
  of: RequestCounts;
  filter: RequestFilter;
  onChange(change: FilterChange): void;
}

/** A stacked bar for each day, which chooses the day. */
export function Counts({ of: { days }, filter, onChange }: CountsProps) {
  const { t, language } = useTranslation();
  const { day: formatDay } = useDates();
  const number = new Intl.NumberFormat(language);
  const sum = (day: (typeof days)[number]) => day.succeeded + day.refused + day.failed;
  const max = Math.max(1, ...days.map(sum));
  const total = (part: (typeof parts)[number]) => days.reduce((all, day) => all + day[part], 0);
  // About ten labels at most, four on a phone; the last day always has one.
  const step = Math.ceil(days.length / 10);
  const phoneStep = step * 3;
  return (
    <Box className="panel" component="section" aria-label={t('requests.byDay')} p={{ base: 'md', sm: 'lg' }}>
      <ol className={classes.days}>
        {days.map((day, index) => {
          const daysAgo = days.length - 1 - index;
          const isChosen = filter.from === day.date && filter.to === day.date;
          const counted = Object.fromEntries(parts.map((part) => [part, number.format(day[part])]));
          return (
            <li key={day.date}>
              <button
                type="button"
                className={classes.day}
                aria-pressed={isChosen}
                aria-label={t('requests.day', { date: formatDay(day.date), ...counted })}
                title={t('requests.day', { date: formatDay(day.date), ...counted })}
                onClick={() =>
                  onChange(isChosen ? { from: undefined, to: undefined } : { from: day.date, to: day.date })
                }
              >
                <span className={classes.bar} style={{ height: `${(sum(day) / max) * 100}%` }}>
                  {parts.map(
                    (part) => day[part] > 0 && <span key={part} data-part={part} style={{ flexGrow: day[part] }} />,
                  )}
                </span>
              </button>
              <Text
                component="span"
                className={classes.date}
                data-wide-only={daysAgo % phoneStep > 0 || undefined}
                aria-hidden
              >
                {daysAgo % step === 0 ? formatDay(day.date) : ' '}
              </Text>
            </li>
          );
        })}
      </ol>
      <Group component="dl" m={0} mt="sm" gap="lg" style={{ rowGap: 4 }}>
        {[...parts].reverse().map((part) => (
          <Group key={part} gap={6} wrap="nowrap">
            <span className={classes.dot} data-part={part} aria-hidden />
            <Text component="dt" size="sm" c="dimmed">
              {t(`requests.${part}`)}
            </Text>
            <Text component="dd" m={0} size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {number.format(total(part))}
            </Text>
          </Group>
        ))}
      </Group>
    </Box>
  );
}
