import type { Chance } from './chance.ts'
import { uuidFor } from './static-uuid.ts'

/** Static values by format; the same values as in Prism. */
const STATIC_VALUES: ReadonlyMap<string, string> = new Map([
  ['email', 'user@example.com'],
  ['idn-email', 'пользователь@пример.ру'],
  ['password', 'pa$$word'],
  ['date-time', '2019-08-24T14:15:22Z'],
  ['date', '2019-08-24'],
  ['time', '14:15:22Z'],
  ['duration', 'P3D'],
  ['ipv4', '192.168.0.1'],
  ['ipv6', '2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
  ['hostname', 'example.com'],
  ['idn-hostname', 'пример.ру'],
  ['uri', 'http://example.com'],
  ['url', 'http://example.com'],
  ['uri-reference', '../dictionary'],
  ['uri-template', 'http://example.com/{endpoint}'],
  ['iri', 'http://пример.ру'],
  ['iri-reference', '../словарь'],
  ['json-pointer', '/json/pointer'],
  ['json-pointer-uri-fragment', '#/json/pointer'],
  ['relative-json-pointer', '1/relative/json/pointer'],
  ['regex', '/regex/'],
  ['byte', 'c3RyaW5n'],
  ['iso-time', '14:15:22Z'],
  ['iso-date-time', '2019-08-24T14:15:22Z']
])

const PASSWORD_TAIL = '_qwerty!@#$%^123456'

export function staticFormatValue(format: string, name: string): string | undefined {
  return format === 'uuid' ? uuidFor(name === '' ? 'id' : name) : STATIC_VALUES.get(format)
}

/** A value of at least this length, if values of the format can be extended. */
export function longFormatValue(format: string, length: number): string | undefined {
  const tail = (before: string) => 'a'.repeat(Math.max(0, length - before.length))
  switch (format) {
    case 'email':
      return growLabels('user@', 'example.com', length)
    case 'hostname':
    case 'idn-hostname':
      return growLabels('', 'example.com', length)
    case 'uri':
    case 'url':
    case 'iri':
    case 'uri-template':
      return `http://example.com/${tail('http://example.com/')}`
    case 'uri-reference':
    case 'iri-reference':
      return `../${tail('../')}`
    case 'json-pointer':
      return `/${tail('/')}`
    case 'relative-json-pointer':
      return `1/${tail('1/')}`
    case 'regex':
      return tail('')
    case 'byte':
      return 'YWFh'.repeat(Math.ceil(length / 4))
    case 'date-time':
      return `2019-08-24T14:15:22.${'0'.repeat(Math.max(1, length - 21))}Z`
    case 'time':
      return `14:15:22.${'0'.repeat(Math.max(1, length - 10))}Z`
    case 'duration':
      return `P${'1'.repeat(Math.max(1, length - 2))}D`
    case 'password':
      return `pa$$word${PASSWORD_TAIL.repeat(length)}`.slice(0, Math.max(8, length))
    default:
      return undefined
  }
}

/** Short values by format, for small limits. */
const SHORT_VALUES: ReadonlyMap<string, string> = new Map([
  ...(['email', 'idn-email'] as const).map((format) => [format, 'a@b.co'] as const),
  ['hostname', 'a'],
  ['idn-hostname', 'a'],
  ['ipv4', '1.1.1.1'],
  ['ipv6', '::1'],
  ['uri', 'a:b'],
  ['url', 'http://a.co'],
  ['iri', 'a:b'],
  ['uri-reference', ''],
  ['iri-reference', ''],
  ['uri-template', ''],
  ['json-pointer', ''],
  ['json-pointer-uri-fragment', '#'],
  ['relative-json-pointer', '0'],
  ['regex', ''],
  ['byte', ''],
  ['duration', 'P1D'],
  ['password', '']
])

export function shortFormatValue(format: string): string | undefined {
  return SHORT_VALUES.get(format)
}

/** A value of exactly this length, for narrow limits; undefined for formats without one. */
export function fittingFormatValue(format: string, length: number): string | undefined {
  const fill = (before: string, after = '') =>
    `${before}${'a'.repeat(Math.max(1, length - before.length - after.length))}${after}`
  switch (format) {
    case 'email':
    case 'idn-email':
      return fill('', '@b.co')
    case 'hostname':
    case 'idn-hostname':
      return fill('')
    case 'uri':
    case 'iri':
      return fill('a:')
    case 'uri-reference':
    case 'iri-reference':
    case 'uri-template':
    case 'regex':
      return fill('')
    default:
      return undefined
  }
}

/** Extends a host name with labels that are not longer than DNS allows. */
function growLabels(before: string, host: string, length: number): string {
  let name = host
  while (before.length + name.length < length) {
    const missing = length - before.length - name.length - 1
    name = `${'a'.repeat(Math.min(50, Math.max(1, missing)))}.${name}`
  }
  return before + name
}

const FIRST_DAY = Date.UTC(2000, 0, 1)
const SECONDS = 30 * 365 * 24 * 3600

/** A random value of the format. */
export function randomFormatValue(format: string, chance: Chance): string | undefined {
  const word = () => Array.from({ length: chance.whole(3, 8) }, () => letter(chance)).join('')
  const moment = () => new Date(FIRST_DAY + chance.whole(0, SECONDS) * 1000).toISOString()
  const number = (high: number) => chance.whole(0, high)
  switch (format) {
    case 'email':
    case 'idn-email':
      return `${word()}@${word()}.example`
    case 'date-time':
    case 'iso-date-time':
      return moment()
    case 'date':
      return moment().slice(0, 10)
    case 'time':
    case 'iso-time':
      return `${moment().slice(11, 19)}Z`
    case 'duration':
      return `P${1 + number(30)}DT${number(23)}H`
    case 'uuid':
      return uuidFor(`${chance.next()}`)
    case 'ipv4':
      return [10, number(255), number(255), 1 + number(253)].join('.')
    case 'ipv6':
      return `2001:db8:${Array.from({ length: 6 }, () => number(0xffff).toString(16)).join(':')}`
    case 'hostname':
    case 'idn-hostname':
      return `${word()}.example`
    case 'uri':
    case 'url':
    case 'iri':
    case 'uri-template':
      return `https://${word()}.example/${word()}`
    case 'uri-reference':
    case 'iri-reference':
      return `/${word()}/${word()}`
    case 'json-pointer':
      return `/${word()}/${number(9)}`
    case 'relative-json-pointer':
      return `${number(5)}/${word()}`
    case 'json-pointer-uri-fragment':
      return `#/${word()}`
    case 'regex':
      return `^${word()}$`
    case 'byte':
      return Buffer.from(word()).toString('base64')
    case 'password':
      return `${word()}${number(99)}$${word()}`
    default:
      return undefined
  }
}

function letter(chance: Chance): string {
  return 'abcdefghijklmnopqrstuvwxyz'.charAt(chance.whole(0, 25))
}
