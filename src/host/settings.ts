import type { Setting } from '../kernel/service.ts'

/** An option of the host: a setting, or one value per service as `name=value`. */
export type HostSetting = Setting | { kind: 'perService'; about: string; example: string }

export const HOST_SETTINGS = {
  portBase: {
    kind: 'number',
    default: 4000,
    minimum: 0,
    maximum: 65000,
    about:
      'console port; services use the next ports, +1 … +9, mail +25 and +143 (0 = any free ports)'
  },
  port: {
    kind: 'perService',
    about: 'port of one service, or another port of it, such as mailbox-imap',
    example: 'forms=3000'
  },
  host: {
    kind: 'array',
    default: ['127.0.0.1', '::1'],
    about: 'IP address or host name to listen on (repeatable)',
    example: '192.168.1.5'
  },
  lan: {
    kind: 'boolean',
    default: false,
    about: 'listen on all interfaces and print the URLs for other machines'
  },
  publicUrl: {
    kind: 'perService',
    about: 'public URL of one service',
    example: 'reference=https://people.example'
  },
  trustedProxy: {
    kind: 'array',
    default: [],
    about: 'IP address or CIDR range of a proxy whose X-Forwarded-* headers are trusted',
    example: '10.0.0.0/8'
  },
  allowedHost: {
    kind: 'array',
    default: [],
    about: 'host name to accept and use in links, besides localhost and IP addresses',
    example: 'nonet.example'
  },
  outboundAllow: {
    kind: 'array',
    default: [],
    about: 'private IP address, CIDR range or host name that services may call',
    example: '192.168.1.20'
  },
  requestTimeoutMs: {
    kind: 'number',
    default: 30_000,
    minimum: 100,
    maximum: 600_000,
    about: 'maximum time in milliseconds to receive one request'
  },
  data: { kind: 'string', default: './nonet-data', about: 'folder for all stored data' },
  database: {
    kind: 'string',
    secret: true,
    about: 'URL of a PostgreSQL database for all services, instead of files in the data folder',
    example: 'postgres://nonet@localhost/nonet'
  },
  files: {
    kind: 'string',
    about: 'URL of an S3 bucket for the files of all services, instead of the data folder',
    example: 's3://bucket/prefix?endpoint=https://s3.example.com&region=us-east-1'
  },
  filesAccessKey: {
    kind: 'string',
    secret: true,
    hasFlag: false,
    about: 'id of the access key of the bucket (or AWS_ACCESS_KEY_ID)'
  },
  filesSecretKey: {
    kind: 'string',
    secret: true,
    hasFlag: false,
    about: 'secret of that access key (or AWS_SECRET_ACCESS_KEY)'
  },
  filesSessionToken: {
    kind: 'string',
    secret: true,
    hasFlag: false,
    about: 'session token of a temporary access key (or AWS_SESSION_TOKEN)'
  },
  ephemeral: {
    kind: 'boolean',
    default: false,
    about: 'keep data in a temporary place that is deleted on exit'
  },
  console: {
    kind: 'boolean',
    default: true,
    about: 'start the console on the base port',
    aboutOff: 'do not start the console'
  },
  adminToken: {
    kind: 'string',
    secret: true,
    about:
      'token that the console requires from other machines and through a proxy (default: a new one at each start)'
  },
  secretKeyFile: {
    kind: 'string',
    about:
      'file with the key that seals stored secrets, one per line, the newest first (default: secret.key in the data folder)'
  },
  secretKey: {
    kind: 'string',
    secret: true,
    hasFlag: false,
    about:
      'the key itself, if there is no file with it: 64 hexadecimal digits or 32 bytes in base64'
  },
  quiet: { kind: 'boolean', default: false, about: 'print nothing but errors' },
  asOriginal: {
    kind: 'boolean',
    default: false,
    about: 'set the switches that unchanged clients of the original services need'
  }
} as const satisfies Record<string, HostSetting>
