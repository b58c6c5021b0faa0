import { TokenRequestInvalid } from './errors.ts'
import { digestOf } from './formats.ts'
import type { CredentialRules, TokenFormat } from './rules.ts'

type Formats = Pick<CredentialRules, 'format' | 'formats'>

/** A sentence if a scope with a format of its own is combined with others. */
export function scopesProblem(
  { formats = {} }: Formats,
  scopes: readonly string[]
): string | undefined {
  const alone = scopes.find((scope) => Object.hasOwn(formats, scope))
  const isCombined = alone !== undefined && scopes.some((scope) => scope !== alone)
  return isCombined ? `A token with the scope ${alone} can have no other scope` : undefined
}

/** The format of a new token; throws if its scopes cannot be combined. */
export function formatOf(rules: Formats, scopes: readonly string[]): TokenFormat {
  const problem = scopesProblem(rules, scopes)
  if (problem !== undefined) throw new TokenRequestInvalid(problem)
  const alone = scopes.find((scope) => Object.hasOwn(rules.formats ?? {}, scope)) ?? ''
  return rules.formats?.[alone] ?? rules.format
}

/** The hash of a secret of any of the formats; undefined if the text is no such secret. */
export function findDigest({ format, formats = {} }: Formats, secret: string): Buffer | undefined {
  for (const one of [format, ...Object.values(formats)]) {
    const digest = digestOf(one, secret)
    if (digest !== undefined) return digest
  }
  return undefined
}
