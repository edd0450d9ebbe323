import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type Root<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>;

/** A link to a page of the console. */
export const TextLink = createLink((props: Root<AnchorProps>) => <Anchor {...props} />);

/** The same that looks like a button. */
export const LinkButton = createLink((props: Root<ButtonProps>) => <Button component="a" {...props} />);
