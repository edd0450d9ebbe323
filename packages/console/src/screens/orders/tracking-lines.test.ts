import { expect, test } from 'vitest';
import { readTrackingLines } from './tracking-lines.ts';

test('lines with commas, semicolons, tabs and spaces are read, and the others are reported', () => {
  const text = '1, RA1\r\n#2;RA 2\n№3\tRA3\n\n  4 RA4  \nRA5\n5,\n1,RA6\n0,RA7';
  expect(readTrackingLines(text)).toEqual({
    lines: [
      { line: '1, RA1', number: 1, trackingNumber: 'RA1' },
      { line: '#2;RA 2', number: 2, trackingNumber: 'RA 2' },
      { line: '№3\tRA3', number: 3, trackingNumber: 'RA3' },
      { line: '4 RA4', number: 4, trackingNumber: 'RA4' },
    ],
    problems: [
      { line: 'RA5', problem: 'invalid' },
      { line: '5,', problem: 'invalid' },
      { line: '1,RA6', problem: 'twice' },
      { line: '0,RA7', problem: 'invalid' },
    ],
  });
});

test('at most 500 orders are sent at once', () => {
  const text = Array.from({ length: 502 }, (_, index) => `${index + 1},T`).join('\n');
  const { lines, problems } = readTrackingLines(text);
  expect(lines).toHaveLength(500);
  expect(problems).toEqual([
    { line: '501,T', problem: 'tooMany' },
    { line: '502,T', problem: 'tooMany' },
  ]);
});
