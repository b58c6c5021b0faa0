import { allServices } from '../host/service-registry.ts'
import type { CredentialRules } from '../kernel/credentials/rules.ts'
import type { Service } from '../kernel/service.ts'
import { closestMatch } from './closest-match.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { withConsole } from './remote-command.ts'
import { requireService } from './service-argument.ts'
import { storageFlagHelp, storageFlags } from './storage-flags.ts'

const usage =
  'nonet token create|list|revoke <service> [id] [--scope <scopes>] [--expires <time>] [--name <text>] [--json] [--data <dir> | --database <url>]'

const VERBS = ['create', 'list', 'revoke'] as const
type Verb = (typeof VERBS)[number]
type TokenTools = typeof import('./token-requests.ts')

/** Services with tokens, with their rules. */
const ISSUERS = allServices.flatMap(({ name, credentials }) =>
  credentials === undefined ? [] : [{ name, rules: credentials }]
)
const BINDINGS = ISSUERS.flatMap(({ rules }) => Object.entries(rules.flags))

/** Flags of `create` that every service has. */
const CREATE_FLAGS: Command['flags'] = {
  name: { type: 'string' },
  scope: { type: 'string', multiple: true },
  expires: { type: 'string' },
  replace: { type: 'string' },
  overlap: { type: 'string' }
}

export const token: Command = {
  name: 'token',
  summary: 'Create, list and revoke the tokens that a service accepts',
  usage,
  examples: [
    'nonet token create statuses --account ada --new-account --name laptop --expires 90d',
    'nonet token create statuses --replace 7c9e66f1a2b3c4d5 --overlap 1h',
    'nonet token list statuses',
    'nonet token revoke statuses 7c9e66f1a2b3c4d5'
  ],
  arguments: 3,
  flags: {
    ...storageFlags,
    ...CREATE_FLAGS,
    ...Object.fromEntries(BINDINGS.map(([flag, { type }]) => [flag, { type }])),
    json: { type: 'boolean' }
  },
  flagHelp: {
    name: 'what the token is for, as shown by list',
    scope: `what the token allows, separated by commas: ${ISSUERS.map(describeScopes).join('; ')}`,
    expires: 'end of the token: a duration such as 30d or 12h, or a date (default: no end)',
    replace: 'id of a token that the new one replaces; it is bound to the same resources',
    overlap: 'how long the replaced token stays valid (default: 24h)',
    ...Object.fromEntries(BINDINGS.map(([flag]) => [flag, aboutOf(flag)])),
    json: 'print one JSON line, the secret included',
    ...storageFlagHelp
  },
  async run(invocation) {
    const { verb, service, rules, id } = readArguments(invocation)
    checkFlags(verb, rules, invocation)
    const tools = await import('./token-requests.ts')
    // Checked before a process is started.
    const send = requestOf(tools, verb, service.name, rules, id, invocation)
    const { stdout, stderr } = await withConsole(service, invocation, verb === 'create', send)
    process.stderr.write(stderr)
    process.stdout.write(`${stdout}\n`)
    return 0
  }
}

/** Several services may have a flag of the same name. */
function aboutOf(flag: string): string {
  return BINDINGS.flatMap(([name, { about }]) => (name === flag ? [about] : [])).join('; ')
}

function describeScopes({ name, rules }: (typeof ISSUERS)[number]): string {
  const scopes = Object.entries(rules.scopes).map(([scope, about]) => `${scope} (${about})`)
  return `${name}: ${scopes.join(', ')}`
}

function readArguments({ positionals }: Invocation) {
  const [verb, name, id] = positionals
  const known = VERBS.find((one) => one === verb)
  if (known === undefined) {
    if (verb === undefined) throw new UsageError(`Missing create, list or revoke. Usage: ${usage}`)
    const meant = closestMatch(verb, VERBS)
    throw new UsageError(
      `Unknown word ${verb} after token${meant === undefined ? '; use create, list or revoke' : `; did you mean ${meant}?`}`
    )
  }
  const service = requireService(name, usage)
  const { credentials: rules } = service
  if (rules === undefined) {
    const names = ISSUERS.map((issuer) => issuer.name).join(', ')
    throw new UsageError(`${service.name} has no tokens; services with tokens: ${names}`)
  }
  if (known !== 'revoke' && id !== undefined) throw new UsageError(`Unexpected argument: ${id}`)
  if (known === 'revoke' && id === undefined) {
    throw new UsageError(`Missing id of the token; nonet token list ${service.name} shows it`)
  }
  return { verb: known, service, rules, id: id ?? '' }
}

function checkFlags(verb: Verb, rules: CredentialRules, { flags }: Invocation): void {
  const given = [...Object.keys(CREATE_FLAGS), ...BINDINGS.map(([flag]) => flag)].filter(
    (flag) => flags[flag] !== undefined
  )
  const wrong = given.find(
    (flag) =>
      verb !== 'create' || (!Object.hasOwn(CREATE_FLAGS, flag) && !Object.hasOwn(rules.flags, flag))
  )
  if (wrong !== undefined) throw new UsageError(`token ${verb}: --${wrong} is not supported`)
}

function requestOf(
  tools: TokenTools,
  verb: Verb,
  service: Service['name'],
  rules: CredentialRules,
  id: string,
  { flags }: Invocation
) {
  const isJson = flags.json === true
  if (verb === 'list') return tools.listing(service, isJson)
  if (verb === 'revoke') return tools.revocation(service, id, isJson)
  return tools.creation(service, tools.readCreation(flags, rules), isJson)
}
