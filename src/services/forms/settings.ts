import type { Settings } from '../../kernel/service.ts'
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS } from './config.ts'

export const settings = {
  webhook: {
    kind: 'text',
    secret: true,
    example: 'https://hooks.example/catch/1234',
    about: 'where submissions go (default: the catch page of the console)'
  },
  timeoutMs: {
    kind: 'number',
    default: DEFAULT_TIMEOUT_MS,
    minimum: 1,
    maximum: 300_000,
    about: 'milliseconds for the request body, and again for the webhook'
  },
  maxBytes: {
    kind: 'number',
    default: DEFAULT_MAX_BYTES,
    minimum: 1,
    maximum: 16 * 1024 * 1024,
    about: 'largest request body in bytes'
  },
  origins: {
    kind: 'list',
    default: [],
    example: 'https://www.example.org',
    about: 'origins whose pages may post from the browser (CORS); * is any'
  },
  enforceOrigin: {
    kind: 'switch',
    default: false,
    about: 'refuse other origins with 403'
  },
  honeypot: {
    kind: 'text',
    example: 'website',
    about: 'hidden field: whoever fills it is thanked and not forwarded'
  },
  rateLimit: {
    kind: 'number',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    about: 'submissions per minute and address (0 = no limit)'
  },
  signingSecret: {
    kind: 'text',
    secret: true,
    example: 'whsec_…',
    about: 'sign outgoing requests (Standard Webhooks); several while they rotate'
  },
  acceptForms: {
    kind: 'switch',
    default: false,
    about: 'take plain HTML form posts besides JSON'
  },
  redirectSuccess: {
    kind: 'text',
    example: 'https://www.example.org/thanks',
    about: 'where an HTML form post lands when it was forwarded'
  },
  redirectError: {
    kind: 'text',
    example: 'https://www.example.org/sorry',
    about: 'where an HTML form post lands when it was not'
  },
  redirectHosts: {
    kind: 'list',
    default: [],
    example: 'hooks2.example',
    about: 'hosts besides the webhook that its 307 and 308 redirects may name'
  }
} as const satisfies Settings
