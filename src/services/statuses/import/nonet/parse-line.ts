import type { ValidateFunction } from 'ajv'
import { createAjv, OWN_SCHEMAS } from '../../../../kernel/ajv.ts'
import { describeSchemaError } from '../../../../kernel/exchange/request-reader.ts'
import { LINE_SCHEMAS } from '../../receive/schemas.ts'
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedLine } from '../../records/exported.ts'
import { isPostId } from '../../records/post-id.ts'
import { isUserName } from '../../records/user-name.ts'
import { isObject, type JsonObject } from '../json/read-items.ts'
import { cleanText } from '../json/values.ts'

/** Throws an error whose message completes "Cannot read line 7 …: ". */
export type ParseLine = (text: string) => ExportedLine

/** As JSON writes a half of a surrogate pair, and NUL. */
const NOT_STORABLE = /\\u(?:d[89a-f]|0000)/i

export function createLineParser(): ParseLine {
  const ajv = createAjv((source) => new RegExp(source, 'u'), OWN_SCHEMAS)
  const validators = new Map<string, ValidateFunction>(
    Object.entries(LINE_SCHEMAS).map(([kind, schema]) => [kind, ajv.compile(schema)])
  )
  return (text) => {
    const line = parseObject(text)
    const [kind = '', ...others] = Object.keys(line)
    const validate = others.length === 0 ? validators.get(kind) : undefined
    if (validate === undefined) throw new Error('it is neither an account, a post nor the end')
    if (!validate(line[kind])) throw new Error(describeSchemaError(validate.errors?.[0]))
    const checked = line as ExportedLine
    checkValues(checked)
    return checked
  }
}

/** Throws if the first line is of another format or version. */
export function checkFirstLine(text: string): void {
  const { format, version } = parseObject(text)
  if (format !== EXPORT_FORMAT) throw new Error(`the format is not ${EXPORT_FORMAT}`)
  if (version !== EXPORT_VERSION) {
    throw new Error(
      `version ${JSON.stringify(version)} of the format is not supported, only ${EXPORT_VERSION}`
    )
  }
}

function parseObject(text: string): JsonObject {
  let value: unknown
  try {
    value = NOT_STORABLE.test(text)
      ? JSON.parse(text, (_name, one) => (typeof one === 'string' ? cleanText(one) : one))
      : JSON.parse(text)
  } catch {
    throw new Error('it is not valid JSON')
  }
  if (isObject(value)) return value
  throw new Error('it is not an object')
}

/** What the schemas cannot tell. */
function checkValues(line: ExportedLine): void {
  if ('account' in line) {
    const wrong = [line.account, ...line.account.formerNames].find(
      ({ userName }) => !isUserName(userName)
    )
    if (wrong !== undefined) throw new Error(`${wrong.userName} is not a user name`)
  } else if ('post' in line) {
    const { id, createdAt, editedAt = createdAt } = line.post
    if (!isPostId(id)) throw new Error(`${id} is not an id of a post`)
    const wrong = [createdAt, editedAt].find((time) => Number.isNaN(Date.parse(time)))
    if (wrong !== undefined) throw new Error(`${wrong} is not a time`)
  }
}
