import { IdentifierMissing, PasswordMissing } from '../../contract.ts'
import { textOf } from '../../http/body.ts'
import { splitTags } from '../../scenario/grammar.ts'
import { TAG_NAMES } from '../../scenario/logins.ts'
import { findScenario } from '../../scenario/registry.ts'

export interface Credentials {
  /** Email address or user name, without tags. */
  readonly identifier: string
  readonly password: string
}

type Fields = Readonly<Record<string, unknown>>

function identifierOf({ email, username }: Fields): string | undefined {
  return [textOf(email), textOf(username)].find((text) => text !== undefined && text.trim() !== '')
}

/** Checks the fields in the order of ReqRes. */
export function readCredentials(fields: Fields): Credentials {
  const identifier = identifierOf(fields)
  if (identifier === undefined) throw new IdentifierMissing()
  const password = textOf(fields.password)
  if (password === undefined) throw new PasswordMissing()
  const { email } = readTags(identifier)
  return { identifier: email, password }
}

/** Scenarios named by the tags of an email address; undefined if one of the tags is unknown. */
export function tagSpec(fields: Fields): string | undefined {
  const identifier = identifierOf(fields)
  return identifier === undefined ? undefined : readTags(identifier).spec
}

/** Longer ones are not split: no account has such an email address. */
const MAX_IDENTIFIER_LENGTH = 2000

function readTags(identifier: string): { email: string; spec?: string } {
  if (identifier.length > MAX_IDENTIFIER_LENGTH) return { email: identifier }
  const { email, tags } = splitTags(identifier.trim())
  const names = tags.map((tag) => TAG_NAMES.get(tag.toLowerCase()) ?? tag.toLowerCase())
  if (names.length === 0) return { email: identifier }
  const areKnown = names.every((tag) => findScenario(tag.split(':')[0] ?? '') !== undefined)
  return areKnown ? { email, spec: names.join(',') } : { email: identifier }
}
