/** Fields of a form; those of a request have the names that this file makes. */
export type FormValues = Readonly<Record<string, string>>

export function readFormValues(body: unknown): FormValues {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : []
    )
  )
}

export function parameterField({ in: location, name }: { in: string; name: string }): string {
  return `${location}.${name}`
}

export function memberField(name: string): string {
  return `member.${name}`
}

export function credentialField(scheme: string, part = ''): string {
  return part === '' ? `auth.${scheme}` : `auth.${scheme}.${part}`
}

/** Browsers send the line breaks of a text area as CR LF. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
