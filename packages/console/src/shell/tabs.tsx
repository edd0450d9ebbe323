import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tabs.module.css';

/** Give it to each link among the tabs. */
export const tab = classes.tab ?? '';

/** Links to the parts of a screen, each with an address of its own, so that each can be opened and shared. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null);
  // On a phone the one that is open may stand beyond the edge.
  useEffect(() => {
    // Without a value: newer browsers hand back a promise, which React would call as a clean-up.
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  });
  return (
    <nav className={classes.tabs} aria-label={label} ref={tabs}>
      {children}
    </nav>
  );
}
