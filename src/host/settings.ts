import type { Setting } from '../kernel/service.ts'

/** An option of the host: a plain setting, or values given per service as `name=value`. */
export type HostSetting = Setting | { kind: 'pairs'; about: string; example: string }

export const HOST_SETTINGS = {
  portBase: {
    kind: 'number',
    default: 4000,
    minimum: 0,
    maximum: 65000,
    about: 'console port; services follow at +1 … +9 (0 = any free ports)'
  },
  port: { kind: 'pairs', about: 'port of one service', example: 'forms=3000' },
  host: {
    kind: 'list',
    default: ['127.0.0.1', '::1'],
    about: 'address to listen on (repeatable)',
    example: '192.168.1.5'
  },
  lan: {
    kind: 'switch',
    default: false,
    about: 'listen on every interface and print the addresses other machines can use'
  },
  publicUrl: {
    kind: 'pairs',
    about: 'address of one service as its clients see it',
    example: 'reference=https://people.example'
  },
  trustedProxy: {
    kind: 'list',
    default: [],
    about: 'address or CIDR range whose X-Forwarded-* headers count',
    example: '10.0.0.0/8'
  },
  allowedHost: {
    kind: 'list',
    default: [],
    about: 'host name that may appear in links besides localhost and IP addresses',
    example: 'nonet.example'
  },
  outboundAllow: {
    kind: 'list',
    default: [],
    about: 'private address, CIDR range or host name that services may call',
    example: '192.168.1.20'
  },
  requestTimeoutMs: {
    kind: 'number',
    default: 30_000,
    minimum: 100,
    maximum: 600_000,
    about: 'time a client may take to send one request'
  },
  data: { kind: 'text', default: './nonet-data', about: 'folder for everything nonet keeps' },
  database: {
    kind: 'text',
    secret: true,
    about: 'PostgreSQL for the tables of all services, instead of files in the data folder',
    example: 'postgres://nonet@localhost/nonet'
  },
  ephemeral: {
    kind: 'switch',
    default: false,
    about: 'keep data in a temporary place that is removed at the end'
  },
  console: { kind: 'switch', default: true, about: 'the console on the base port' },
  adminToken: {
    kind: 'text',
    secret: true,
    about: 'token for the console beyond loopback (default: a new one at each start)'
  },
  quiet: { kind: 'switch', default: false, about: 'no line per request' }
} as const satisfies Record<string, HostSetting>
