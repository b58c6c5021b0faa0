import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxContext } from '../context.ts'
import {
  BodyEmpty,
  batchInvalid,
  MAX_RECORDS_PER_REQUEST,
  PreconditionFailed,
  RECORD_ID,
  TooManyRecords
} from '../contract.ts'
import { readBody } from '../http/body.ts'
import { readBoxId } from '../http/box-path.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { checkKeyForm, findKey } from '../http/credentials.ts'
import { type Condition, isForNew, readTags } from '../http/preconditions.ts'
import { prefersRecord } from '../http/prefer.ts'
import { sendJson } from '../http/response.ts'
import { checkTtl } from '../list/parse-list-query.ts'
import type { BatchOperation } from '../store/batch.ts'
import { decodeText } from '../text/decode.ts'
import { scanBody } from '../text/scan.ts'
import { findMember, type MemberSpan, membersOf } from '../text/spans.ts'
import { readPatch } from './patch.ts'
import { createYield, renderRecord, requireRecord } from './records.ts'

const NAMES = ['op', 'id', 'collection', 'ttl', 'body', 'ifMatch', 'ifNoneMatch']

/** Runs all operations in their order, or none of them. */
export async function runBatch(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments }: BoxTarget
): Promise<void> {
  const { options, store } = context
  const bytes = await readBody(request.raw, options.maxRequestBytes)
  const box = readBoxId(segments[1], options)
  const text = bytes && decodeText(bytes)
  if (text === undefined) throw new BodyEmpty()
  const operations = await readOperations(text, context)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const headers = context.countRequest(request.raw)
  const results = await store.runBatch(box, key, operations)
  const whole = prefersRecord(request.headers)
  const parts = results.map(({ id, record }) => {
    if (record === undefined) return `{"_id":"${id}"}`
    const tag = `{"_id":"${id}","etag":"\\"${record.rev}\\""`
    return whole ? `${tag},"record":${renderRecord(record, true)}}` : `${tag}}`
  })
  sendJson(reply, `[${parts.join(',')}]`, headers)
}

async function readOperations(text: string, context: BoxContext): Promise<BatchOperation[]> {
  if (!text.trimStart().startsWith('['))
    throw batchInvalid('the body must be an array of operations')
  const { count, objects } = scanBody(text, { keep: MAX_RECORDS_PER_REQUEST, reservedOnly: true })
  if (count === 0) throw new BodyEmpty()
  if (count > MAX_RECORDS_PER_REQUEST) throw new TooManyRecords()
  const yieldToEventLoop = createYield()
  const operations: BatchOperation[] = []
  for (const [index, { start }] of objects.entries()) {
    try {
      operations.push(readOperation(text, membersOf(text, start), context, index))
    } catch (error) {
      throw Object.assign(error as Error, { index })
    }
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  return operations
}

function readOperation(
  text: string,
  members: readonly MemberSpan[],
  { options }: BoxContext,
  index: number
): BatchOperation {
  const stranger = members.find(({ name }) => !NAMES.includes(name))
  if (stranger !== undefined) throw batchInvalid(`unknown member "${stranger.name}"`, index)
  const spanOf = (name: string) => {
    const member = findMember(members, name)
    return member && text.slice(member.valueStart, member.end)
  }
  const read = (name: string): unknown => {
    const value = spanOf(name)
    return value === undefined || /^[[{]/.test(value) ? undefined : JSON.parse(value)
  }
  const body = (): string => {
    const value = spanOf('body')
    if (value === undefined || !/^[[{]/.test(value)) throw batchInvalid('"body" is missing', index)
    return value
  }
  const id = readId(read('id'), index)
  const requireId = (): string => {
    if (id === undefined) throw batchInvalid('"id" is missing', index)
    return id
  }
  const condition = readConditions(read('ifMatch'), read('ifNoneMatch'), index)
  const ttl = spanOf('ttl') === undefined ? undefined : checkTtl(read('ttl'))
  const collection = readName(read('collection'), options.maxCollection, index)
  switch (read('op')) {
    case 'create': {
      if (body().startsWith('[')) throw batchInvalid('"body" must be one record', index)
      // A new record has no revision to match.
      if (condition.ifMatch !== undefined) throw new PreconditionFailed()
      return { op: 'create', id, content: requireRecord(body(), options), collection, ttl }
    }
    case 'put': {
      const content = requireRecord(body(), options)
      if (isForNew(condition)) return { op: 'create', id: requireId(), content, collection, ttl }
      return { op: 'put', id: requireId(), content, condition }
    }
    case 'patch': {
      const patch = readPatch(body(), body().startsWith('['), options)
      return { op: 'patch', id: requireId(), patch, condition }
    }
    case 'delete':
      return { op: 'delete', id: requireId(), condition }
    default:
      throw batchInvalid('"op" must be create, put, patch or delete', index)
  }
}

function readId(id: unknown, index: number): string | undefined {
  if (id === undefined) return undefined
  if (typeof id !== 'string' || !RECORD_ID.test(id)) {
    throw batchInvalid('"id" must be 24 hexadecimal digits', index)
  }
  return id.toLowerCase()
}

function readName(name: unknown, longest: number, index: number): string | undefined {
  if (name === undefined || name === null) return undefined
  const isName = typeof name === 'string' && name !== '' && name.length <= longest
  if (!isName || /\p{Cc}/u.test(name)) throw batchInvalid('"collection" is not a valid name', index)
  // In a URL it would be a record id.
  if (RECORD_ID.test(name)) throw batchInvalid('"collection" looks like an id', index)
  return name
}

/** Each condition is a revision or the value of the header with this name. */
function readConditions(ifMatch: unknown, ifNoneMatch: unknown, index: number): Condition {
  const tagsOf = (value: unknown, isWeak: boolean) => {
    if (value === undefined) return undefined
    if (typeof value === 'number' && Number.isSafeInteger(value)) return [value]
    if (typeof value !== 'string')
      throw batchInvalid('a condition must be an entity tag or a revision', index)
    return readTags(value, isWeak)
  }
  return { ifMatch: tagsOf(ifMatch, false), ifNoneMatch: tagsOf(ifNoneMatch, true) }
}
