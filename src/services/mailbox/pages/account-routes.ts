import type { FastifyInstance } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { sendPage } from '../../../kernel/send-page.ts'
import { removeAccount } from '../accounts/remove-account.ts'
import { AccountNotFound } from '../contract.ts'
import { findAccount } from '../sandbox/api/accounts.ts'
import type { MailboxStatus } from '../sandbox/mail-store.ts'
import { createAccount } from '../sandbox/new-account.ts'
import { requireOperator } from './access.ts'
import { accountPage } from './account-page.ts'
import type { PageContext } from './page-context.ts'

/** Mailboxes that the page of an account shows. */
const MAX_MAILBOXES = 50

type ById = { Params: { id: string } }
type Fields = { Body: Readonly<Record<string, string | undefined>> | undefined }

export function accountRoutes(scope: FastifyInstance, pages: PageContext): void {
  const { context, callerOf, serversFor } = pages
  const { store } = context

  async function readMailboxes(account: string): Promise<readonly MailboxStatus[]> {
    const mailboxes = (await store.listMailboxes(account)).slice(0, MAX_MAILBOXES)
    const found = await Promise.all(mailboxes.map(({ id }) => store.status(id)))
    return found
      .filter((status) => status !== undefined)
      .sort((one, other) => Number(other.name === 'INBOX') - Number(one.name === 'INBOX'))
  }

  scope.get<ById>('/sandbox/accounts/:id', async (request, reply) => {
    const caller = await callerOf(request)
    const account = await findAccount(context, caller, request.params.id)
    const password = await store.readPassword(account.id)
    if (password === undefined) throw new AccountNotFound()
    const page = accountPage({
      account,
      password,
      token: undefined,
      servers: serversFor(request),
      mailboxes: await readMailboxes(account.id),
      deleteUrl:
        caller.accounts === undefined
          ? formAction(request, `/sandbox/accounts/${encodeURIComponent(account.id)}/delete`)
          : undefined
    })
    return sendPage(reply, page)
  })

  /** Without a redirect, because the token cannot be shown again. */
  scope.post<Fields>('/sandbox/accounts', async (request, reply) => {
    requireOperator(await callerOf(request))
    const { address } = request.body ?? {}
    const made = await createAccount(context, address ? { address: address.trim() } : {})
    const { account } = made
    const page = accountPage({
      ...made,
      servers: serversFor(request),
      mailboxes: await readMailboxes(account.id),
      deleteUrl: formAction(request, `/sandbox/accounts/${encodeURIComponent(account.id)}/delete`)
    })
    return sendPage(reply.code(201), page)
  })

  scope.post<ById>('/sandbox/accounts/:id/delete', async (request, reply) => {
    const caller = await callerOf(request)
    requireOperator(caller)
    const { id } = await findAccount(context, caller, request.params.id)
    await removeAccount(context, id)
    return reply.redirect('/', 303)
  })
}
