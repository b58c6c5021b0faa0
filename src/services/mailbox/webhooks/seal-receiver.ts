import type { Account, AccountSecrets } from '../accounts/account.ts'
import type { MailboxContext } from '../context.ts'
import { accountDeleted } from '../events/account-events.ts'
import { idOfEvent } from '../events/record-events.ts'
import { receiverPurpose } from '../store/migrations.ts'
import type { AccountReceiver } from './choose-receiver.ts'

/** The account's own receiver, for the event of its removal; undefined if it has none. */
export function sealReceiver(
  { kernel }: Pick<MailboxContext, 'kernel'>,
  { id, settings, createdAt }: Account,
  { webhooksUser, webhooksHeaders }: AccountSecrets
): string | undefined {
  const { webhooks, webhooksOrigin, webhooksHeadersEgress } = settings
  if (webhooks === undefined) return undefined
  const receiver = {
    settings: { webhooks, webhooksOrigin, webhooksHeadersEgress },
    secrets: { webhooksUser, webhooksHeaders }
  }
  const event = idOfEvent(accountDeleted(id), { created_at: createdAt })
  return kernel.secrets.seal(receiverPurpose(event), JSON.stringify(receiver))
}

export function openReceiver(
  { kernel }: Pick<MailboxContext, 'kernel'>,
  event: string,
  sealed: string
): AccountReceiver {
  return JSON.parse(kernel.secrets.open(receiverPurpose(event), sealed).toString())
}
