import { defineScenario, readNothing, readWhole } from './definition.ts'

/** Example request of a login scenario, which a tag of the email address selects. */
function example(tag: string): string {
  return `POST /api/login {"email":"eve.holt+${tag}@reqres.in","password":"x"}`
}

export const wrong = defineScenario({
  name: 'wrong',
  usage: 'wrong',
  about: 'login: invalid credentials',
  example: example('wrong'),
  read: readNothing
})

export const locked = defineScenario<number>({
  name: 'locked',
  usage: 'locked[:secs]',
  about: 'login: the account is locked for secs seconds (default 900)',
  example: example('locked'),
  read: readWhole(900, 1, 31_536_000)
})

export const disabled = defineScenario({
  name: 'disabled',
  usage: 'disabled',
  about: 'login: the account is disabled',
  example: example('disabled'),
  read: readNothing
})

export const unverified = defineScenario({
  name: 'unverified',
  usage: 'unverified',
  about: 'login: the email address is not verified',
  example: example('unverified'),
  read: readNothing
})

export const passwordExpired = defineScenario({
  name: 'password-expired',
  usage: 'password-expired',
  about: 'login: the password has expired; the response contains a token to set a new one',
  example: example('passwordexpired'),
  read: readNothing
})

export const mfa = defineScenario({
  name: 'mfa',
  usage: 'mfa',
  about: 'login: a second factor is required; the correct code is 123456',
  example: example('mfa'),
  read: readNothing
})

/** Scenarios whose tag in an email address is written without a hyphen. */
export const TAG_NAMES: ReadonlyMap<string, string> = new Map([
  ['passwordexpired', 'password-expired']
])
