import type { MessagePart } from './facts.ts'
import { FieldCursor } from './field-cursor.ts'
import type { HeaderField } from './header.ts'
import { readParameters } from './mime-parameters.ts'

export type MimeFields = Pick<
  MessagePart,
  | 'type'
  | 'parameters'
  | 'disposition'
  | 'id'
  | 'description'
  | 'encoding'
  | 'md5'
  | 'language'
  | 'location'
>

const MAX_LANGUAGES = 100
const NO_PARAMETERS: Readonly<Record<string, string>> = {}

/**
 * What the `Content-…` fields of a part say; the first field of a name counts. Outside of a
 * multipart they mean nothing unless MIME-Version or Content-Type is there.
 */
export function readMimeFields(
  fields: readonly HeaderField[],
  { isInMultipart, defaultType }: { isInMultipart: boolean; defaultType: string }
): MimeFields {
  const values = new Map<string, string>()
  for (const { name, value } of fields) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, value)
  }
  const isMime = isInMultipart || values.has('mime-version') || values.has('content-type')
  const fieldOf = (name: string) => (isMime ? values.get(name) : undefined)
  return {
    ...readType(fieldOf('content-type'), defaultType),
    disposition: readDisposition(fieldOf('content-disposition')),
    id: fieldOf('content-id'),
    description: fieldOf('content-description'),
    encoding: readEncoding(fieldOf('content-transfer-encoding')),
    md5: fieldOf('content-md5'),
    language: readLanguages(fieldOf('content-language')),
    location: fieldOf('content-location')
  }
}

function readType(
  value: string | undefined,
  defaultType: string
): Pick<MessagePart, 'type' | 'parameters'> {
  if (value === undefined) return { type: defaultType, parameters: NO_PARAMETERS }
  const cursor = new FieldCursor(value)
  cursor.skipSpace()
  const type = cursor.readToken().toLowerCase()
  // RFC 2045 5.2 advises to read a malformed field as if it were absent.
  if (type === '') return { type: defaultType, parameters: NO_PARAMETERS }
  const isFine = cursor.skipSpace() && cursor.skip('/') && cursor.skipSpace()
  const subtype = isFine ? cursor.readToken().toLowerCase() : ''
  const fallback = type === 'text' ? 'plain' : 'unknown'
  const parameters = isFine && cursor.skipSpace() ? readParameters(cursor) : NO_PARAMETERS
  return { type: `${type}/${isFine ? subtype : fallback}`, parameters }
}

function readDisposition(value: string | undefined): MessagePart['disposition'] {
  if (value === undefined) return undefined
  const cursor = new FieldCursor(value)
  cursor.skipSpace()
  const type = cursor.readToken().toLowerCase()
  if (!cursor.skipSpace()) return undefined
  return { type, parameters: readParameters(cursor) }
}

/** Fields with anything after the name of the encoding are ignored. */
function readEncoding(value: string | undefined): string {
  const cursor = new FieldCursor(value ?? '')
  cursor.skipSpace()
  const encoding = cursor.readToken().toLowerCase()
  const isFine = cursor.skipSpace() && cursor.isAtEnd && encoding !== ''
  return isFine ? encoding : '7bit'
}

function readLanguages(value: string | undefined): readonly string[] {
  const cursor = new FieldCursor(value ?? '')
  const languages: string[] = []
  cursor.skipSpace()
  while (languages.length < MAX_LANGUAGES) {
    const language = cursor.readAtom()
    if (language === '') break
    languages.push(language)
    if (!cursor.skipSpace() || !cursor.skip(',') || !cursor.skipSpace()) break
  }
  return languages
}
