import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './select.module.css';
import { usePopover } from './use-popover.ts';

export interface Option {
  value: string;
  label: string;
}

interface OptionGroup {
  group: string;
  items: Option[];
}

export interface SelectProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'size'> {
  data: readonly (string | Option | OptionGroup)[];
  value?: string | null;
  onChange?(value: string | null): void;
  /** Choosing the chosen option again, or a button, leaves nothing chosen. */
  clearable?: boolean;
  clearLabel?: string;
  /** The user can type to find an option. */
  searchable?: boolean;
  /** What is typed, for options that the server finds; they are shown as they come. */
  searchValue?: string;
  onSearchChange?(text: string): void;
  /** The options are those of an earlier text: they are shown, but cannot be chosen. */
  isOutdated?: boolean;
  /** Enter without an option at the keyboard, instead of submitting the form. */
  onEnter?(): void;
  /** What is typed is the value of the field; an option fills in something else. */
  isFreeText?: boolean;
  nothingFound?: string;
  renderOption?(option: Option): ReactNode;
}

const toGroup = (entry: string | Option | OptionGroup): OptionGroup =>
  typeof entry === 'string'
    ? { group: '', items: [{ value: entry, label: entry }] }
    : 'group' in entry
      ? entry
      : { group: '', items: [entry] };

/** A field with a list of options. The focus stays in the field. */
export function Select({
  data,
  value = null,
  onChange,
  clearable = false,
  clearLabel,
  searchable = false,
  searchValue,
  onSearchChange,
  isOutdated = false,
  onEnter,
  isFreeText = false,
  nothingFound,
  renderOption = ({ label }) => label,
  onFocus,
  onBlur,
  ...props
}: SelectProps) {
  const id = useId();
  // A value may have spaces.
  const optionId = (option: string) => `${id}-${encodeURIComponent(option)}`;
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** The value of the option that the keyboard is at. */
  const [active, setActive] = useState<string>();
  const [typed, setTyped] = useState<string>();

  const groups = data.map(toGroup);
  const labelOf = (chosen: string | null) =>
    groups.flatMap(({ items }) => items).find((option) => option.value === chosen)?.label ?? '';
  const text = searchValue ?? typed ?? labelOf(value);
  const wanted = searchValue === undefined ? (typed?.trim().toLowerCase() ?? '') : '';
  const shown = groups
    .map(({ group, items }) => ({ group, items: items.filter(({ label }) => label.toLowerCase().includes(wanted)) }))
    .filter(({ items }) => items.length > 0);
  const options = isOutdated ? [] : shown.flatMap(({ items }) => items);
  const isEmpty = shown.length === 0;
  const hasMessage = isEmpty && !isOutdated && nothingFound !== undefined && text.trim() !== '';
  const isShown = isOpen && !props.disabled && (!isEmpty || hasMessage);
  const list = usePopover({
    anchor: isShown ? input.current : null,
    isWide: true,
    maxHeight: 320,
    onClose: () => setOpen(false),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the option is another one
  useEffect(() => {
    // A block body: newer browsers return a promise, which React would treat as a cleanup function.
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isShown]);

  function open() {
    setOpen(true);
    setActive(value ?? undefined);
  }
  function close() {
    setOpen(false);
    setTyped(undefined);
  }
  function search(text: string) {
    setTyped(text);
    onSearchChange?.(text);
  }
  function choose(option: Option | undefined) {
    const chosen = !option || (clearable && option.value === value) ? undefined : option;
    if (searchable && !isFreeText) onSearchChange?.(chosen?.label ?? '');
    onChange?.(chosen?.value ?? null);
    close();
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = options.findIndex((option) => option.value === active);
    const option = isShown ? options[at] : undefined;
    const isButton = !searchable;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = event.key === 'ArrowDown' ? at + 1 : Math.max(at, 0) - 1;
      if (isShown) setActive(options.at(next % options.length)?.value);
      else open();
    } else if (isShown && isButton && (event.key === 'Home' || event.key === 'End'))
      setActive(options.at(event.key === 'Home' ? 0 : -1)?.value);
    else if (event.key === 'Enter' || (event.key === ' ' && isButton)) {
      if (option) choose(option);
      else if (isButton) open();
      else if (onEnter) onEnter();
      else return;
    } else if (event.key === 'Escape' && isShown) {
      // The dialog below stays open.
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  }

  const isClearable = clearable && value !== null && !props.disabled;
  return (
    <>
      <TextInput
        ref={input}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-autocomplete={searchable ? 'list' : 'none'}
        aria-activedescendant={isShown && active !== undefined ? optionId(active) : undefined}
        autoComplete="off"
        pointer={!searchable}
        readOnly={!searchable}
        rightSection={isFreeText ? undefined : <IconSelector size={16} className={classes.chevron} />}
        rightSectionPointerEvents={isClearable ? 'all' : 'none'}
        {...(isClearable && {
          rightSection: (
            <CloseButton
              size="sm"
              tabIndex={-1}
              aria-label={clearLabel}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(undefined)}
            />
          ),
        })}
        {...props}
        value={text}
        onChange={({ currentTarget }) => {
          search(currentTarget.value);
          setOpen(true);
          setActive(undefined);
        }}
        onClick={() => (isOpen && !searchable ? close() : open())}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          onFocus?.(event);
          if (searchable) open();
        }}
        onBlur={(event) => {
          onBlur?.(event);
          close();
          if (searchable && !isFreeText) onSearchChange?.(labelOf(value));
        }}
      />
      {isShown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it has a role when it has options
        <div
          ref={list}
          id={id}
          popover="manual"
          className={classes.list}
          data-wide={isFreeText || undefined}
          // A press on the list leaves the focus where it is.
          onMouseDown={(event) => event.preventDefault()}
          {...(!isEmpty && { role: 'listbox', 'aria-label': props['aria-label'] ?? String(props.label) })}
        >
          {shown.map(({ group, items }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options without a group have no name
            <Group key={index} name={group}>
              {items.map((option) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the field
                // biome-ignore lint/a11y/useFocusableInteractive: so is the focus
                <div
                  key={option.value}
                  id={optionId(option.value)}
                  role="option"
                  aria-selected={option.value === value}
                  aria-disabled={isOutdated || undefined}
                  data-active={option.value === active || undefined}
                  className={classes.option}
                  onClick={isOutdated ? undefined : () => choose(option)}
                >
                  <div className={classes.label}>{renderOption(option)}</div>
                  {option.value === value && <IconCheck size={14} aria-hidden />}
                </div>
              ))}
            </Group>
          ))}
          {isEmpty && <div className={classes.empty}>{nothingFound}</div>}
        </div>
      )}
    </>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  if (!name) return children;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a part of a listbox
    <div role="group" aria-label={name}>
      <div className={classes.group} aria-hidden>
        {name}
      </div>
      {children}
    </div>
  );
}
