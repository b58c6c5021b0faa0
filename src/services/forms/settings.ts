import type { Settings } from '../../kernel/service.ts'
import { DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS } from './config.ts'

export const settings = {
  webhook: {
    kind: 'string',
    secret: true,
    example: 'https://hooks.example/catch/1234',
    about: 'URL to forward submissions to (default: a sample webhook of the console)'
  },
  timeoutMs: {
    kind: 'number',
    default: DEFAULT_TIMEOUT_MS,
    minimum: 1,
    maximum: 300_000,
    about: 'timeout in milliseconds for the request body, and separately for the webhook'
  },
  maxBytes: {
    kind: 'number',
    default: DEFAULT_MAX_BYTES,
    minimum: 1,
    maximum: 16 * 1024 * 1024,
    about: 'maximum size of a request body in bytes'
  },
  origins: {
    kind: 'array',
    default: [],
    example: 'https://www.example.org',
    about:
      'origins allowed to post from the browser (CORS); * allows all (default: this machine, while only it can reach nonet)'
  },
  enforceOrigin: {
    kind: 'boolean',
    default: false,
    about: 'reject other origins with 403'
  },
  fields: {
    kind: 'array',
    default: [],
    example: 'message',
    about: 'additional fields to forward to the webhook, after email and fullName'
  },
  honeypot: {
    kind: 'string',
    example: 'website',
    about: 'honeypot field: submissions that fill it are accepted but not forwarded'
  },
  rateLimit: {
    kind: 'number',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    about: 'maximum number of submissions per minute and IP address (0 = no limit)'
  },
  signingSecret: {
    kind: 'string',
    secret: true,
    example: 'whsec_…',
    about: 'secret to sign outgoing requests with (Standard Webhooks); several during rotation'
  },
  acceptForms: {
    kind: 'boolean',
    default: false,
    about: 'accept plain HTML form posts in addition to JSON'
  },
  redirectSuccess: {
    kind: 'string',
    example: 'https://www.example.org/thanks',
    about: 'URL to redirect to after an HTML form was forwarded'
  },
  redirectError: {
    kind: 'string',
    example: 'https://www.example.org/sorry',
    about: 'URL to redirect to after an HTML form was not forwarded'
  },
  redirectHosts: {
    kind: 'array',
    default: [],
    example: 'hooks2.example',
    about: 'other hosts that 307 and 308 redirects of the webhook may lead to'
  }
} as const satisfies Settings
