import type { Account } from '../accounts/account.ts'
import type { SendingInput } from '../api/schemas/submit.ts'
import { AccountNotFound } from '../contract.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { smtpUnavailable } from './contract.ts'
import type { SubmissionOptions } from './submission.ts'

/** The account, if it can send. */
export async function requireSender({ accounts, serverOf }: Daemon, id: string): Promise<Account> {
  const account = await accounts.find(id)
  if (account === undefined) throw new AccountNotFound()
  // The sandbox may not listen yet; its mail waits.
  if (!account.isSandbox && serverOf(account, 'smtp') === undefined) throw smtpUnavailable()
  return account
}

/** A time that is over means now. */
export function sendTime(sendAt: string | undefined, now: number): number {
  return Math.max(sendAt === undefined ? now : Date.parse(sendAt), now)
}

export function sendingOptions({ copy, sentMailPath, dsn }: SendingInput): SubmissionOptions {
  return {
    ...(copy !== undefined && { copy }),
    ...(sentMailPath !== undefined && { sentMailPath }),
    ...(dsn !== undefined && { dsn })
  }
}
