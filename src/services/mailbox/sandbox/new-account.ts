import { randomBytes, randomInt } from 'node:crypto'
import { TooManyTokens } from '../../../kernel/credentials/errors.ts'
import { MAX_TOKENS } from '../../../kernel/credentials/new-token.ts'
import { rateLimitHeaders } from '../../../kernel/rate-limit.ts'
import type { MailboxContext } from '../context.ts'
import {
  AccountAlreadyExists,
  type InvalidField,
  invalidInput,
  TooManyAccounts,
  tooManyRequests
} from '../contract.ts'
import { normaliseAddress } from './address.ts'
import { CAUGHT_ACCOUNT, type SandboxAccount } from './mail-store.ts'

const ID = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/
const ID_LENGTH = 12
const ID_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PASSWORD_BYTES = 18
const MAX_NAME_LENGTH = 100
/** A top-level domain that never exists (RFC 6761). */
const DOMAIN = 'sandbox.test'
const RESERVED: readonly string[] = [CAUGHT_ACCOUNT.id, CAUGHT_ACCOUNT.address]
const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** What is undefined is chosen. */
export interface NewAccountRequest {
  readonly account?: string | undefined
  readonly address?: string | undefined
  readonly name?: string | undefined
}

export interface NewAccount {
  readonly account: SandboxAccount
  readonly password: string
  /** Secret of a token for this account alone. */
  readonly token: string
}

export async function createAccount(
  { store, kernel, countNewAccount, watch }: MailboxContext,
  request: NewAccountRequest
): Promise<NewAccount> {
  const { id, address, name } = readRequest(request)
  const state = countNewAccount()
  if (state.retryAfter > 0) throw tooManyRequests(state.retryAfter, rateLimitHeaders(state))
  for (const wanted of [id, address]) {
    const isTaken = RESERVED.includes(wanted) || (await store.findAccount(wanted)) !== undefined
    if (isTaken) throw new AccountAlreadyExists(wanted)
  }
  // The token comes first: an account without one could not be used, a token without one is unknown.
  const { secret, token } = await createToken(kernel.credentials, id)
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const account = { id, address, name, createdAt: kernel.now().getTime() }
  if (!(await store.addAccount({ ...account, password }))) {
    await kernel.credentials.revoke(token.id)
    throw new AccountAlreadyExists(id)
  }
  watch.wake()
  return { account, password, token: secret }
}

function readRequest({ account, address, name = '' }: NewAccountRequest) {
  const fields: InvalidField[] = []
  const id = account ?? createId()
  const sent = address ?? `${id}@${DOMAIN}`
  const normalised = normaliseAddress(sent)
  if (!ID.test(id)) {
    const message = 'must have 1 to 64 lower-case letters, digits, dots, hyphens and underscores'
    fields.push({ key: 'account', message })
  }
  if (normalised === undefined && (address !== undefined || fields.length === 0)) {
    fields.push({ key: 'address', message: 'must be an email address' })
  }
  if (name.length > MAX_NAME_LENGTH || CONTROL_CHARACTER.test(name)) {
    const message = `must have at most ${MAX_NAME_LENGTH} characters and no control characters`
    fields.push({ key: 'name', message })
  }
  if (normalised === undefined || fields.length > 0) throw invalidInput(fields)
  return { id, address: normalised, name }
}

function createId(): string {
  return Array.from({ length: ID_LENGTH }, () =>
    ID_CHARACTERS.charAt(randomInt(ID_CHARACTERS.length))
  ).join('')
}

async function createToken(credentials: MailboxContext['kernel']['credentials'], id: string) {
  try {
    return await credentials.create({ name: `account ${id}`, scopes: ['api'], bindings: [id] })
  } catch (error) {
    if (error instanceof TooManyTokens) throw new TooManyAccounts(MAX_TOKENS)
    throw error
  }
}
