import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#818cf8',
  '#6366f1',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
];

/** Mantine's dark greys, tinted with the accent color. */
const dark: MantineColorsTuple = [
  '#e4e6eb',
  '#b8bdc8',
  '#8d93a1',
  '#5d6371',
  '#3b404c',
  '#2d313b',
  '#23262e',
  '#181a20',
  '#121419',
  '#0d0f13',
];

const system = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const theme = createTheme({
  colors: { indigo, dark },
  primaryColor: 'indigo',
  primaryShade: 6,
  defaultRadius: 'md',
  fontFamily: system,
  headings: { fontFamily: system, fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', c: 'dimmed' } },
    Badge: { defaultProps: { tt: 'none', fw: 500 } },
    Switch: { defaultProps: { withThumbIndicator: false } },
  },
});

/** Mantine's default greys and reds fail the 4.5:1 contrast ratio for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1a1d24',
    '--mantine-color-dimmed': '#5b6472',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c92a2a',
    '--console-background': '#f7f8fa',
    '--console-surface': '#ffffff',
    '--console-border': '#e4e7ec',
  },
  dark: {
    '--mantine-color-dimmed': '#aeb4c0',
    '--mantine-color-placeholder': '#979daa',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#a5b4fc',
    '--console-background': '#0f1115',
    '--console-surface': '#181a20',
    '--console-border': '#2d313b',
  },
});
