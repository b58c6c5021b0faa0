import type { Credentials } from '../../../kernel/credentials/credentials.ts'
import { digestOf } from '../../../kernel/credentials/formats.ts'
import type { TokenFacts } from '../../../kernel/credentials/rules.ts'
import { listTokens as listTokenRows } from '../../../kernel/credentials/table.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { readTokenDetails } from '../store/tokens.ts'
import { parseDetails, type TokenDetails } from './token-details.ts'
import { accountsOf } from './use-token.ts'

const FORMAT = 'hexBytes'

/** A token as the API shows it. */
export interface StoredToken {
  /** SHA-256 of the bytes of the token, in hex. */
  readonly id: string
  readonly facts: TokenFacts
  readonly details: TokenDetails
  /** Undefined: all. */
  readonly accounts: readonly string[] | undefined
}

/** Tokens that are valid now, the oldest first. */
export async function readTokens({
  credentials,
  database
}: Pick<Kernel, 'credentials' | 'database'>): Promise<StoredToken[]> {
  const { rows, details } = await database.read(function* () {
    return { rows: yield* listTokenRows(), details: yield* readTokenDetails() }
  })
  const digests = new Map(rows.map(({ id, digest }) => [id, digest]))
  return (await listValid(credentials)).flatMap((facts) => {
    const id = digests.get(facts.id)
    if (id === undefined) return []
    const accounts = accountsOf(facts)
    return [{ id, facts, accounts, details: parseDetails(details.get(facts.id)) }]
  })
}

async function listValid(credentials: Credentials): Promise<TokenFacts[]> {
  const tokens = await credentials.list()
  return tokens.filter(({ state }) => state === 'active' || state === 'rotated')
}

/** By its id or by its value. */
export async function findStoredToken(
  kernel: Pick<Kernel, 'credentials' | 'database'>,
  idOrValue: string
): Promise<StoredToken | undefined> {
  const tokens = await readTokens(kernel)
  const digest = tokenIdOf(idOrValue)
  return tokens.find(({ id }) => id === idOrValue) ?? tokens.find(({ id }) => id === digest)
}

/** Undefined if the text is no token. */
export function tokenIdOf(value: string): string | undefined {
  return digestOf(FORMAT, value)?.toString('hex')
}
