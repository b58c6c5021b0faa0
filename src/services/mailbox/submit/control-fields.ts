import { GATEWAYS, TRACKING } from '../api/missing-features.ts'
import { type InvalidField, invalidInput } from '../contract.ts'
import { type HeaderField, parseHeader } from '../sandbox/message/header.ts'
import type { HeaderLine } from './header-block.ts'

const PREFIX = 'x-ee-'
const MAX_ATTEMPTS = 100

export interface ControlFields {
  readonly sendAt?: number | undefined
  readonly deliveryAttempts?: number | undefined
}

/** Header fields of `raw` that are for the queue, and the lines without them. */
export function readControlFields(lines: readonly HeaderLine[]): {
  readonly control: ControlFields
  readonly lines: readonly HeaderLine[]
} {
  const own = lines.filter(({ name }) => name.startsWith(PREFIX))
  const fields = parseHeader(Buffer.concat(own.map(({ bytes }) => bytes)))
  const invalid = fields.flatMap(invalidField)
  if (invalid.length > 0) throw invalidInput(invalid)
  const sendAt = fieldValue(fields, 'x-ee-send-at')
  const attempts = fieldValue(fields, 'x-ee-delivery-attempts')
  return {
    control: {
      ...(sendAt !== undefined && { sendAt: Date.parse(sendAt) }),
      ...(attempts !== undefined && { deliveryAttempts: Number(attempts) })
    },
    lines: lines.filter(({ name }) => !name.startsWith(PREFIX))
  }
}

function fieldValue(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name)?.value.trim()
}

function invalidField({ name, value }: HeaderField): InvalidField[] {
  const message = messageOf(name.toLowerCase(), value.trim())
  return message === undefined ? [] : [{ key: `raw.${name}`, message }]
}

function messageOf(name: string, value: string): string | undefined {
  if (name === 'x-ee-send-at') return Number.isNaN(Date.parse(value)) ? 'must be a date' : undefined
  if (name === 'x-ee-delivery-attempts') {
    const isValid = /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_ATTEMPTS
    return isValid ? undefined : `must be a number from 1 to ${MAX_ATTEMPTS}`
  }
  if (name === 'x-ee-gateway') return GATEWAYS
  if (name === 'x-ee-tracking-enabled') {
    return /^(?:false|no|0)$/i.test(value) ? undefined : TRACKING
  }
  return undefined
}
