import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** Between the popover and its anchor, and between it and the edges of the window. */
const GAP = 6;

interface PopoverOptions {
  /** The element that it belongs to; closed without one. */
  anchor: HTMLElement | null;
  /** Which edges are in line. */
  align?: 'start' | 'end';
  isWide?: boolean;
  maxHeight?: number;
  onClose(): void;
}

/**
 * For an element with `popover="manual"` that is rendered while it is open: it is shown above everything else, below
 * its anchor or above it, where there is more room. A press elsewhere closes it.
 */
export function usePopover({ anchor, align = 'start', isWide = false, maxHeight = 420, onClose }: PopoverOptions) {
  const ref = useRef<HTMLDivElement>(null);
  const place = useEffectEvent(() => {
    const popover = ref.current;
    if (!popover || !anchor) return;
    const { top, bottom, left, right, width } = anchor.getBoundingClientRect();
    if (isWide) popover.style.width = `${width}px`;
    popover.style.maxHeight = `${maxHeight}px`;
    const below = window.innerHeight - bottom - 2 * GAP;
    const above = top - 2 * GAP;
    const isBelow = below >= Math.min(popover.offsetHeight, maxHeight) || below >= above;
    popover.style.maxHeight = `${Math.min(maxHeight, isBelow ? below : above)}px`;
    popover.style.top = isBelow ? `${bottom + GAP}px` : 'auto';
    popover.style.bottom = isBelow ? 'auto' : `${window.innerHeight - top + GAP}px`;
    const wanted = align === 'start' ? left : right - popover.offsetWidth;
    const last = document.documentElement.clientWidth - popover.offsetWidth - GAP;
    popover.style.left = `${Math.max(GAP, Math.min(wanted, last))}px`;
  });
  const closeOutside = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !ref.current?.contains(target) && !anchor?.contains(target)) onClose();
  });
  useLayoutEffect(() => {
    if (!anchor) return;
    ref.current?.showPopover();
    place();
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('resize', place, { signal });
    document.addEventListener('scroll', place, { capture: true, passive: true, signal });
    document.addEventListener('pointerdown', closeOutside, { capture: true, signal });
    return () => listening.abort();
  }, [anchor]);
  // Its content may have become longer.
  useEffect(() => place());
  return ref;
}
