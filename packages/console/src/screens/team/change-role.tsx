import { useForm } from '@mantine/form';
import type { Member, Role } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { storesQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { teamQuery } from '../../api/team.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { RoleChoice } from './role-choice.tsx';

interface ChangeRoleProps {
  storeId: string;
  of: Member;
  onClose(): void;
}

export default function ChangeRole({ storeId, of: member, onClose }: ChangeRoleProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm<{ role: Role }>({ initialValues: { role: member.role } });
  const submission = useSubmit(
    form,
    (body: { role: Role }) =>
      call('PATCH /stores/{storeId}/members/{accountId}', { params: { storeId, accountId: member.id }, body }),
    async (team) => {
      queryClient.setQueryData(teamQuery(storeId).queryKey, team);
      notify(t('team.changed'));
      onClose();
      // It may have been the own role.
      await queryClient.invalidateQueries(storesQuery);
    },
  );
  return (
    <FormDialog
      submission={submission}
      title={t('team.changeRoleTitle', { name: member.name })}
      action={t('common.save')}
      onClose={onClose}
    >
      <RoleChoice {...form.getInputProps('role')} />
    </FormDialog>
  );
}
