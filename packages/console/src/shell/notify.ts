import { notifications } from '@mantine/notifications';
import i18next from 'i18next';

/** A word in the corner that something was done, or was not. */
export const notify = (message: string, isGood = true) =>
  notifications.show({
    message,
    color: isGood ? 'teal' : 'red',
    closeButtonProps: { 'aria-label': i18next.t('common.close') },
  });
