import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InvitationLink, Invite as Values } from '@store-sales/contract/console';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RoleChoice } from './role-choice.tsx';

interface InviteProps {
  storeId: string;
  onInvited(email: string, created: InvitationLink): void;
  onClose(): void;
}

export default function Invite({ storeId, onInvited, onClose }: InviteProps) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: { email: '', role: 'manager' },
    validate: { email: validators(t).email },
  });
  const submission = useSubmit(
    form,
    (body: Values) => call('POST /stores/{storeId}/invitations', { params: { storeId }, body }),
    (created) => onInvited(form.getValues().email.trim(), created),
  );
  return (
    <FormDialog
      submission={submission}
      title={t('team.inviteTitle')}
      size="lg"
      gap="lg"
      action={t('team.submit')}
      onClose={onClose}
    >
      <TextInput
        label={t('team.email')}
        description={t('team.emailHint')}
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleChoice {...form.getInputProps('role')} />
    </FormDialog>
  );
}
