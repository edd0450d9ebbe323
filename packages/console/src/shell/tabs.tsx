import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tabs.module.css';

/** The class of each link. */
export const tab = classes.tab ?? '';

/** Tabs that are links, so that each has its own URL. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null);
  // On a phone the active tab may be scrolled out of view.
  useEffect(() => {
    // A block body: newer browsers return a promise, which React would treat as a cleanup function.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  });
  return (
    <nav className={classes.tabs} aria-label={label} ref={tabs}>
      {children}
    </nav>
  );
}
