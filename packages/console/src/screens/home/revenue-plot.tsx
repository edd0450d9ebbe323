import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const HEIGHT = 260;
/** Between the amounts of the axis and the lines. */
const AMOUNT_MARGIN = 12;

interface RevenuePlotProps {
  labels: readonly string[];
  current: readonly number[];
  previous: readonly number[];
  /** The day under the cursor. */
  index: number | undefined;
  onIndex(index: number | undefined): void;
  /** An amount on the axis. */
  format(value: number): string;
}

/** Two lines on a canvas. In a file of its own, which is loaded when there is something to draw. */
export function RevenuePlot({ labels, current, previous, index, onIndex, format }: RevenuePlotProps) {
  const { colorScheme } = useMantineColorScheme();
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const latest = useRef({ onIndex, format, labels });
  latest.current = { onIndex, format, labels };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the scheme
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const made = new UPlot(optionsFor(target, latest), dataOf(current, previous), target);
    plot.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: target.clientWidth, height: HEIGHT }));
    resized.observe(target);
    return () => {
      resized.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [colorScheme, current, previous]);

  useEffect(() => {
    const made = plot.current;
    if (!made || made.cursor.idx === index) return;
    const left = index === undefined ? -10 : made.valToPos(index, 'x');
    made.setCursor({ left, top: index === undefined ? -10 : made.valToPos(current[index] ?? 0, 'y') }, false);
  }, [index, current]);

  return <div ref={element} style={{ height: HEIGHT }} />;
}

const dataOf = (current: readonly number[], previous: readonly number[]): UPlot.AlignedData => [
  current.map((_, index) => index),
  [...previous],
  [...current],
];

type Latest = { current: Pick<RevenuePlotProps, 'onIndex' | 'format' | 'labels'> };

function optionsFor(target: HTMLElement, latest: Latest): UPlot.Options {
  const style = getComputedStyle(target);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const [line, text, grid] = [
    color('--mantine-color-indigo-5'),
    color('--mantine-color-dimmed'),
    color('--console-border'),
  ];
  const font = `12px ${style.fontFamily}`;
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { show: false }, font };
  /** As wide as the longest amount. `values` is null before the first drawing. */
  function amountAxisSize({ ctx }: UPlot, values: string[] | null) {
    ctx.save();
    ctx.font = font;
    const widths = values?.map((value) => ctx.measureText(value).width) ?? [];
    ctx.restore();
    return Math.ceil(Math.max(0, ...widths)) + AMOUNT_MARGIN;
  }
  return {
    width: target.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 8 } },
    scales: { x: { time: false }, y: { range: (_plot, _min, max) => [0, max * 1.05 || 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        incrs: [1, 2, 5, 7, 10, 14, 30],
        values: (_plot, splits) => splits.map((split) => latest.current.labels[split] ?? ''),
      },
      { ...axis, size: amountAxisSize, values: (_plot, splits) => splits.map((split) => latest.current.format(split)) },
    ],
    series: [
      {},
      { stroke: text, width: 1.5, dash: [5, 5], points: { show: false } },
      { stroke: line, width: 2, fill: `${line}22`, points: { show: false } },
    ],
    hooks: { setCursor: [(made) => latest.current.onIndex(made.cursor.idx ?? undefined)] },
  };
}
