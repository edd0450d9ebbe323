import { IconCheck } from '@tabler/icons-react';
import {
  type ComponentProps,
  type CSSProperties,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useState,
} from 'react';
import classes from './menu.module.css';
import { usePopover } from './use-popover.ts';

/** Closes the menu and gives the focus back. */
const Close = createContext(() => {});

interface MenuProps {
  /** The button that opens it. */
  target: ReactElement<ComponentProps<'button'>>;
  align?: 'start' | 'end';
  width?: number;
  maxWidth?: number;
  children: ReactNode;
}

const itemsOf = (menu: HTMLElement | null) =>
  [...(menu?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])].filter((item) => !item.matches(':disabled'));

export function Menu({ target, align = 'start', width, maxWidth, children }: MenuProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const ref = usePopover({ anchor, align, onClose: () => setAnchor(null) });
  const close = () => {
    anchor?.focus();
    setAnchor(null);
  };

  useEffect(() => {
    if (anchor) itemsOf(ref.current)[0]?.focus();
  }, [anchor, ref]);

  function onKeyDown(event: KeyboardEvent) {
    const items = itemsOf(ref.current);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (next !== undefined) items.at(next % items.length)?.focus();
    else return;
    // The dialog below stays open; Tab goes on from the button.
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  }

  return (
    <>
      {cloneElement(target, {
        'aria-haspopup': 'menu',
        'aria-expanded': anchor !== null,
        'aria-controls': anchor ? id : undefined,
        onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) => setAnchor(anchor ? null : currentTarget),
      })}
      {anchor && (
        <div
          ref={ref}
          id={id}
          role="menu"
          popover="manual"
          aria-label={anchor.ariaLabel ?? anchor.textContent ?? undefined}
          className={classes.dropdown}
          style={{ width, maxWidth }}
          onKeyDown={onKeyDown}
        >
          <Close value={close}>{children}</Close>
        </div>
      )}
    </>
  );
}

interface ItemProps extends ComponentProps<'button'> {
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  /** The menu stays open after a click. */
  isKeptOpen?: boolean;
  /** For a link. */
  renderRoot?(props: {
    className: string;
    role: 'menuitem';
    tabIndex: number;
    style: CSSProperties | undefined;
    onClick(): void;
    children: ReactNode;
  }): ReactNode;
}

function Item({ leftSection, rightSection, isKeptOpen, renderRoot, onClick, children, ...props }: ItemProps) {
  const close = useContext(Close);
  const content = (
    <>
      {leftSection}
      <span className={classes.text}>{children}</span>
      {rightSection}
    </>
  );
  const shared = { className: classes.item ?? '', tabIndex: -1, children: content };
  if (renderRoot) return renderRoot({ ...shared, role: 'menuitem', style: props.style, onClick: close });
  return (
    <button
      type="button"
      role="menuitem"
      {...props}
      {...shared}
      onClick={(event) => {
        if (!isKeptOpen) close();
        onClick?.(event);
      }}
    />
  );
}

interface CheckboxItemProps {
  checked: boolean;
  onChange(isChecked: boolean): void;
  children: ReactNode;
}

function CheckboxItem({ checked, onChange, children }: CheckboxItemProps) {
  return (
    <Item
      role="menuitemcheckbox"
      aria-checked={checked}
      isKeptOpen
      leftSection={<IconCheck size={14} style={{ visibility: checked ? 'visible' : 'hidden' }} />}
      onClick={() => onChange(!checked)}
    >
      {children}
    </Item>
  );
}

Menu.Item = Item;
Menu.CheckboxItem = CheckboxItem;
Menu.Label = ({ children }: { children: ReactNode }) => <div className={classes.label}>{children}</div>;
Menu.Divider = () => <div className={classes.divider} />;
