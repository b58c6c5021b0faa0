import { type JsonObject, stringAt } from '../json.ts'

const FLOWS: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode'
}

export function convertSecurityScheme(scheme: JsonObject): JsonObject {
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme
  if (type === 'basic') return { ...rest, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return scheme
  const name = FLOWS[stringAt(scheme, 'flow') ?? ''] ?? 'implicit'
  const settings = { authorizationUrl, tokenUrl, scopes: scopes ?? {} }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { ...rest, type: 'oauth2', flows: { [name]: Object.fromEntries(given) as JsonObject } }
}
