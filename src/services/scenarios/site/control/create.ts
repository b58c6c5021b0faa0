import { randomBytes } from 'node:crypto'
import { digest, toBase62 } from '../../api/auth/secrets.ts'
import { ControlInvalid, MAX_SEED_LENGTH, WorkspaceTaken } from '../../contract.ts'
import { type ApiResponse, json } from '../../http/response.ts'
import {
  DEFAULT_OPTIONS,
  type Workspace,
  type WorkspaceOptions
} from '../../workspace/workspace.ts'
import type { SiteRequest } from '../site-route.ts'
import { readControl } from './read.ts'

const SECOND_MS = 1000
const MAX_TTL_SECONDS = 366 * 86_400
const MAX_LOCKOUT = 1000
const NAME_LENGTH = 12
const KEY_LENGTH = 40
const KEYS = ['id', 'seed', 'now', 'options', 'ttl']

/** `POST /_workspaces`; if it is from outside, the response has the key of the control routes. */
export async function createWorkspace({ context, request }: SiteRequest): Promise<ApiResponse> {
  const wanted = await readControl(context, request, KEYS)
  const id = readId(wanted.id)
  const frozen = wanted.now === undefined ? null : readTime(wanted.now)
  const options = readOptions(wanted.options, frozen)
  const isOpen = !context.kernel.isFromOutside(request)
  const key = isOpen ? undefined : `wsk_${toBase62(randomBytes(KEY_LENGTH))}`
  const seed = wanted.seed === undefined ? {} : { seed: readSeed(wanted.seed) }
  const lifetime = wanted.ttl === undefined ? {} : { lifetime: readTtl(wanted.ttl) }
  const workspace = await context.workspaces.create({
    id,
    frozen,
    options: JSON.stringify(options),
    secret: key === undefined ? null : digest(key),
    ...seed,
    ...lifetime
  })
  if (workspace === undefined) throw new WorkspaceTaken()
  const base = context.kernel.baseUrl(request)
  return json({ ...headOf(workspace, base), ...(key === undefined ? {} : { key }) }, 201)
}

export function headOf({ id, row }: Workspace, base: string) {
  return {
    id,
    seed: row.seed,
    base_url: `${base}/w/${id}`,
    expires_at: new Date(row.used + row.lifetime).toISOString()
  }
}

function readId(value: unknown): string {
  if (value === undefined) return `ws-${toBase62(randomBytes(NAME_LENGTH))}`
  // Invalid names are rejected by `workspaces.create`.
  return typeof value === 'string' ? value : ''
}

function readSeed(value: unknown): string {
  const seed = typeof value === 'number' ? String(value) : value
  if (typeof seed !== 'string' || seed === '' || /\p{Cc}/u.test(seed) || !seed.isWellFormed()) {
    throw new ControlInvalid('seed must be a number or a string')
  }
  if (seed.length > MAX_SEED_LENGTH) throw new ControlInvalid('seed is too long')
  return seed
}

function readTtl(value: unknown): number {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > MAX_TTL_SECONDS) {
    throw new ControlInvalid(`ttl must be a whole number of seconds from 1 to ${MAX_TTL_SECONDS}`)
  }
  return Number(value) * SECOND_MS
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/

const FIRST_TIME = Date.parse('0000-01-01T00:00:00Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether the year of the time has four digits in ISO 8601. */
export function isTime(milliseconds: number): boolean {
  return milliseconds >= FIRST_TIME && milliseconds <= LAST_TIME
}

/** Milliseconds of an ISO time with its zone. */
export function readTime(value: unknown): number {
  const time = typeof value === 'string' && ISO_TIME.test(value) ? Date.parse(value) : Number.NaN
  if (!isTime(time)) throw new ControlInvalid('now must be a time such as 2030-01-02T03:04:05Z')
  return time
}

function readOptions(value: unknown, frozen: number | null): WorkspaceOptions {
  const now = frozen === null ? {} : { now: new Date(frozen).toISOString() }
  if (value === undefined) return { ...DEFAULT_OPTIONS, ...now }
  if (typeof value !== 'object' || value === null)
    throw new ControlInvalid('options must be an object')
  const { strict, lockout, ...others }: Record<string, unknown> = { ...DEFAULT_OPTIONS, ...value }
  const [other] = Object.keys(others)
  if (other !== undefined) {
    throw new ControlInvalid(`Unknown option ${other}; known options: strict, lockout`)
  }
  if (typeof strict !== 'boolean') throw new ControlInvalid('strict must be true or false')
  if (!Number.isInteger(lockout) || Number(lockout) < 0 || Number(lockout) > MAX_LOCKOUT) {
    throw new ControlInvalid(`lockout must be a whole number from 0 to ${MAX_LOCKOUT}`)
  }
  return { strict, lockout: Number(lockout), ...now }
}
