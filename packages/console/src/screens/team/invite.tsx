import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InvitationLink, Invite as Values } from '@store-sales/contract/console';
import { invite } from '../../api/team.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RoleChoice } from './role-choice.tsx';

export interface ShownLink {
  email: string;
  link: string;
}

interface InviteProps {
  storeId: string;
  isOpen: boolean;
  /** The link of an invitation that was just made or renewed, to be passed on. */
  shown: ShownLink | undefined;
  onInvited(email: string, created: InvitationLink): void;
  onClose(): void;
}

/** The form that invites someone; then the link, if it was not mailed. */
export default function Invite({ storeId, isOpen, shown, onInvited, onClose }: InviteProps) {
  const { t } = useTranslation();
  return (
    <SecretDialog
      isOpen={isOpen}
      title={t('team.inviteTitle')}
      secret={
        shown && {
          title: t('team.linkTitle'),
          texts: [t('team.linkText', { email: shown.email })],
          fields: [{ label: t('team.link'), value: shown.link, testId: 'link' }],
        }
      }
      onClose={onClose}
    >
      <InviteForm storeId={storeId} onInvited={onInvited} onCancel={onClose} />
    </SecretDialog>
  );
}

interface InviteFormProps extends Pick<InviteProps, 'storeId' | 'onInvited'> {
  onCancel(): void;
}

function InviteForm({ storeId, onInvited, onCancel }: InviteFormProps) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: { email: '', role: 'manager' },
    validate: { email: validators(t).email },
  });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    (values: Values) => invite(storeId, values),
    (created) => onInvited(form.getValues().email.trim(), created),
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="lg">
        <ProblemAlert>{problem}</ProblemAlert>
        <TextInput
          label={t('team.email')}
          description={t('team.emailHint')}
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleChoice {...form.getInputProps('role')} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('team.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
