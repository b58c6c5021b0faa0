import { isObject } from '../../../kernel/json.ts'

/** Names of arguments that methods of earlier versions of Faker took by position. */
const POSITIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['commerce.price', ['min', 'max', 'dec', 'symbol']],
  ['date.between', ['from', 'to']],
  ['date.betweens', ['from', 'to', 'count']],
  ['date.future', ['years', 'refDate']],
  ['date.past', ['years', 'refDate']],
  ['date.recent', ['days', 'refDate']],
  ['date.soon', ['days', 'refDate']],
  ['finance.amount', ['min', 'max', 'dec', 'symbol']],
  ['image.url', ['width', 'height']],
  ['internet.email', ['firstName', 'lastName', 'provider']],
  ['internet.exampleEmail', ['firstName', 'lastName']],
  ['internet.password', ['length', 'memorable', 'pattern', 'prefix']],
  ['internet.username', ['firstName', 'lastName']],
  ['location.latitude', ['max', 'min', 'precision']],
  ['location.longitude', ['max', 'min', 'precision']]
])

/** Methods whose first argument is an array, which authors also write without its own brackets. */
const OF_ARRAYS = [
  'helpers.arrayElement',
  'helpers.arrayElements',
  'helpers.shuffle',
  'helpers.weightedArrayElement'
]

/** Whether a phone number is wanted in a format such as `+49-###-####`, which Faker has removed. */
export function isPhoneFormat(name: string, [format]: readonly unknown[]): boolean {
  return /^phone\.(?:number|phoneNumber)$/.test(name) && String(format).includes('#')
}

/** The arguments as the current version of Faker takes them; `name` is the current name. */
export function currentArguments(name: string, args: unknown[]): unknown[] {
  const [first] = args
  if (OF_ARRAYS.includes(name)) return Array.isArray(first) ? args : [args]
  if (name === 'number.float' && isObject(first)) return [withoutPrecision(first)]
  const positions = POSITIONS.get(name)
  if (positions === undefined || first === undefined || isObject(first)) return args
  return [Object.fromEntries(args.map((value, index) => [positions[index], value]))]
}

/** The step of a number was called `precision`. */
function withoutPrecision(options: Record<string, unknown>): Record<string, unknown> {
  const { precision, ...others } = options
  return precision === undefined ? others : { multipleOf: precision, ...others }
}
