import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Member, Role } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { storesQuery } from '../../api/account.ts';
import { changeMember, teamQuery } from '../../api/team.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { FormDialog } from '../../shell/unsaved.tsx';
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
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    (values: { role: Role }) => changeMember(storeId, member.id, values),
    async (team) => {
      queryClient.setQueryData(teamQuery(storeId).queryKey, team);
      notify(t('team.changed'));
      onClose();
      // It may have been the own role.
      await queryClient.invalidateQueries({ ...storesQuery, exact: true });
    },
  );
  return (
    <FormDialog opened onClose={onClose} title={t('team.changeRoleTitle', { name: member.name })}>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="lg">
          <ProblemAlert>{problem}</ProblemAlert>
          <RoleChoice {...form.getInputProps('role')} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
