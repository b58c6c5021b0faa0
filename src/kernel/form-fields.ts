/** Whether a URL-encoded form has more fields than this; counted before the fields are created. */
export function hasMoreFieldsThan(most: number, form: string): boolean {
  let count = 1
  for (let at = form.indexOf('&'); at !== -1; at = form.indexOf('&', at + 1)) {
    if (++count > most) return true
  }
  return false
}

/** Strings by name; a name that occurs more than once has an array of its values. */
export function groupFields(fields: Iterable<[string, string]>): Record<string, string | string[]> {
  const groups = new Map<string, string | string[]>()
  for (const [name, value] of fields) {
    const before = groups.get(name)
    if (before === undefined) groups.set(name, value)
    else if (typeof before === 'string') groups.set(name, [before, value])
    else before.push(value)
  }
  return Object.fromEntries(groups)
}
